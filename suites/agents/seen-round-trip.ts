/** agents.update.round-trip in anybody's traffic: the parts of an update that its response must contain. */
import { documentOf } from '../../spec/documents.ts';
import { resolve } from '../../spec/openapi-document.ts';
import type { Schema } from '../../spec/openapi-document.ts';
import { limits } from '../../spec/values.ts';
import { status } from '../expect/status.ts';
import { isFields, isOmitted } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import { withoutNulls } from '../json/without-nulls.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { roundTripMismatches } from '../kit/agents/round-trip.ts';
import { effectiveSpec, elementsOf, isAcceptedUpdate, specIn } from '../kit/agents/seen-update.ts';
import { triggerTypes } from '../kit/generators/agent-body.ts';

export function judgeRoundTrip(seen: Seen, facts: Facts): Judged {
  if (!isAcceptedUpdate(seen, facts)) return undefined;
  if (seen.status !== 200) return status(seen.exchange, 200);
  const spec = withoutDoubtful(documented(agentSpec, effectiveSpec(withoutNulls(specIn(seen.sent)))));
  return roundTripMismatches({ metadata: comparableMetadata(seen), spec }, seen.exchange);
}

/** The name is that of the path. A server may trim spaces, and repeated ones are judged by naming.texts.repeated-spaces-unchanged. */
function comparableMetadata({ sent, path }: Seen): Fields {
  const { displayName, labels } = metadataIn(sent);
  const isPlain = typeof displayName === 'string' && displayName === displayName.trim() && !/\s{2}/.test(displayName);
  const plain = Object.entries(isFields(labels) ? labels : {}).filter(
    ([, value]) => typeof value === 'string' && value === value.trim() && !/\s{2}/.test(value),
  );
  return {
    name: path['agentName'],
    ...(isPlain && displayName.length <= limits.displayNameLength && { displayName }),
    ...(plain.length > 0 && { labels: Object.fromEntries(plain) }),
  };
}

const document = documentOf('management');
const agentSpec: Schema = { $ref: '#/components/schemas/AgentSpec' };

/** Without members that are not documented, and without tasks, which agents.triggers.accepted-tasks-returned judges. */
function documented(schema: Schema, value: Fields): Fields {
  const { properties = {} } = resolve<Schema>(document, schema);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name in properties && name !== 'tasks')
      .map(([name, member]) => [name, documentedValue(properties[name]!, member)]),
  );
}

function documentedValue(schema: Schema, value: unknown): unknown {
  const { items } = resolve<Schema>(document, schema);
  if (Array.isArray(value) && items !== undefined) return value.map((each) => documentedValue(items, each));
  return isFields(value) ? documented(schema, value) : value;
}

type IsPlain = (value: unknown) => boolean;

const isText: IsPlain = (value) => value !== '';
const isPercentage: IsPlain = (value) => Number(value) >= 0 && Number(value) <= 100;
const isFrom0To10: IsPlain = (value) => Number(value) >= 0 && Number(value) <= 10;

/** Values that a server must keep if it accepts them. Others may count as none, or be rounded (decisions 038 and 041). */
const plainSpec: Readonly<Record<string, IsPlain>> = { region: isText };
const plainRepository: Readonly<Record<string, IsPlain>> = { type: isText, url: isText };
const plainRevision: Readonly<Record<string, IsPlain>> = {
  active: () => false, // Every update creates a revision, and a rollout may activate that one.
  canary: () => false,
  canaryPercent: isPercentage,
  stickySessionTtl: (value) => Number(value) >= 0,
  traffic: isPercentage,
};
const plainRuntime: Readonly<Record<string, IsPlain>> = {
  generation: isText,
  image: isText,
  maxScale: (value) => isFrom0To10(value) && value !== 0,
  memory: (value) => [1024, 2048, 4096].includes(Number(value)),
  minScale: isFrom0To10,
};
const plainConfiguration: Readonly<Record<string, IsPlain>> = {
  authenticationType: isText,
  callbackUrl: isText,
  path: isText,
  retry: isFrom0To10,
  schedule: isText,
  timeout: (value) => Number(value) > 0,
};

const plainMembers = (value: unknown, plain: Readonly<Record<string, IsPlain>>): Fields =>
  Object.fromEntries(
    Object.entries(isFields(value) ? value : {}).filter(
      ([name, each]) => !Object.hasOwn(plain, name) || plain[name]!(each),
    ),
  );

function withoutDoubtful(spec: Fields): Fields {
  const { repository, revision, runtime, triggers, volumes, policies, ...rest } = plainMembers(spec, plainSpec);
  return {
    ...rest,
    ...(isFields(repository) && { repository: plainMembers(repository, plainRepository) }),
    ...(isFields(revision) && { revision: plainMembers(revision, plainRevision) }),
    ...(isFields(runtime) && { runtime: comparableRuntime(runtime) }),
    ...(Array.isArray(triggers) && { triggers: comparableTriggers(elementsOf(triggers)) }),
    ...(isEachOnce(elementsOf(volumes).map(({ mountPath }) => mountPath)) &&
      !isOmitted(volumes) && { volumes: elementsOf(volumes).map(comparableVolume) }),
    ...(Array.isArray(policies) && isEachOnce(policies) && { policies }),
  };
}

/** A server may keep one of two variables of the same name. */
function comparableRuntime(runtime: Fields): Fields {
  const { envs, ...rest } = plainMembers(runtime, plainRuntime);
  const isKept = envs !== undefined && isEachOnce(elementsOf(envs).map(({ name }) => name));
  return { ...rest, ...(isKept && { envs }) };
}

/**
 * A server makes an id for a trigger without one, and another of equal ones, such as a-2 of a: it may be that of another trigger,
 * which then changes (decision 019).
 */
function comparableTriggers(triggers: readonly Fields[]): Fields[] {
  const ids = triggers.map(({ id }) => id).filter((id) => typeof id === 'string' && id !== '') as string[];
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  const isOneWithout = ids.length < triggers.length;
  const mayBeMade = (id: string): boolean =>
    repeated.some((each) => id.startsWith(each)) ||
    (isOneWithout && (/\d$/.test(id) || triggerTypes.some((type) => type === id)));
  return triggers.map(({ id, ...trigger }) => ({
    ...(typeof id === 'string' && id !== '' && !mayBeMade(id) && { id }),
    ...trigger,
    ...(isFields(trigger['configuration']) && {
      configuration: plainMembers(trigger['configuration'], plainConfiguration),
    }),
  }));
}

/** A server may write the same path another way. */
const comparableVolume = ({ mountPath, ...volume }: Fields): Fields => ({
  ...volume,
  ...(typeof mountPath === 'string' && /^(\/(?!\.{1,2}(\/|$))[^/]+)+$/.test(mountPath) && { mountPath }),
});

const isEachOnce = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
