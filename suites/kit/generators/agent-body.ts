/** Valid agents, built from fields that every target must accept and fields that this target has accepted. */
import * as fc from 'fast-check';
import { limits } from '../../../spec/values.ts';
import type { Generation } from '../provision/agents.ts';
import { cronExpression } from '../../generators/cron-expression.ts';
import { readableText } from '../../generators/display-name.ts';
import { labels, type Labels } from '../../generators/labels.ts';
import { beginnings, shrinkable, withoutAnElement, withoutAnEntry } from '../../generators/shrinkable.ts';

export interface AgentParts {
  readonly metadata: object;
  readonly spec: Fragment;
}

/** Fields that only some agents or targets accept. */
export interface Accepted {
  readonly generation: Generation;
  /** Whether the agent may be public for a moment. */
  readonly mayBePublic: boolean;
  /** Parts of a spec that the target has accepted one by one. */
  readonly fragments: readonly Fragment[];
  /** Fragments that the target has accepted in one update. One group of all if omitted. */
  readonly groups?: readonly (readonly Fragment[])[];
  /** All if omitted. */
  readonly sizes?: Sizes;
  /** The largest if omitted. */
  readonly amounts?: Amounts;
  /** Fields of which the target has refused every value, and the status. */
  readonly refused?: readonly (readonly [field: string, status: number])[];
}

export const triggerTypes = ['http', 'http-async', 'cron'] as const;
export type TriggerType = (typeof triggerTypes)[number];

/** The largest numbers of triggers and variables, the types of triggers, and their values. */
export interface Amounts {
  readonly triggers: number;
  readonly types: readonly TriggerType[];
  readonly envs: number;
  /** The schedule of every cron trigger. Generated if omitted. */
  readonly schedule?: string;
  /** The callbackUrl of every asynchronous trigger. Made up if omitted. */
  readonly callbackUrl?: string;
}

export const allAmounts: Amounts = { triggers: 8, types: triggerTypes, envs: 12 };

export interface Fragment {
  readonly runtime?: object;
  readonly revision?: object;
  readonly [field: string]: unknown;
}

/** Sizes that a plan may refuse. `maxScale`: the smallest (1) and the largest; all values between them are used. */
export interface Sizes {
  readonly memory: readonly number[];
  readonly minScale: readonly number[];
  readonly maxScale: readonly number[];
}

export const allSizes: Sizes = { memory: [1024, 1500, 2048, 4096], minScale: [0, 1], maxScale: [1, 10] };

export function agentParts({
  generation,
  mayBePublic,
  fragments,
  groups = [fragments],
  sizes = allSizes,
  amounts = allAmounts,
}: Accepted): fc.Arbitrary<AgentParts> {
  const spec = fc.record(
    {
      enabled: fc.boolean(),
      public: mayBePublic && generation === 'mk3' ? fc.boolean() : fc.constant(false),
      runtime: runtime(sizes, amounts),
      triggers: triggers(generation, amounts),
    },
    { requiredKeys: [] },
  );
  const more = fc.oneof(fc.constant<Fragment[]>([]), ...groups.map((group) => fc.subarray([...group])));
  const parts = fc.record({ metadata, spec, more }).map(({ metadata: described, spec: base, more: added }) => ({
    metadata: described,
    spec: added.reduce(overrideSpec, base),
  }));
  return shrinkable<AgentParts>(parts, smallerParts);
}

export interface AgentUpdate {
  /** The generation of the agent that is updated. */
  readonly agent: Generation;
  readonly parts: AgentParts;
}

/** Valid updates of the agents of each generation. */
export const agentUpdates = (accepted: ReadonlyMap<Generation, Accepted>): fc.Arbitrary<AgentUpdate> =>
  shrinkable<AgentUpdate>(
    fc.oneof(
      ...[...accepted].map(([agent, each]) => fc.record({ agent: fc.constant(agent), parts: agentParts(each) })),
    ),
    ({ agent, parts }) => smallerParts(parts).map((each) => ({ agent, parts: each })),
  );

/** Slightly smaller parts: without whole groups of fields first, then without single ones, then with shorter texts. */
export function smallerParts({ metadata: described, spec }: AgentParts): AgentParts[] {
  const isEmpty = Object.keys(described).length === 0;
  return [
    ...(Object.keys(spec).length === 0 ? [] : [{ metadata: described, spec: {} }]),
    ...(isEmpty ? [] : [{ metadata: {}, spec }]),
    ...smallerMetadata(described).map((metadata) => ({ metadata, spec })),
    ...smallerSpecs(spec).map((smaller) => ({ metadata: described, spec: smaller })),
  ];
}

type Described = { readonly displayName?: string; readonly labels?: Labels };

function smallerMetadata(described: Described): object[] {
  const { labels: labelled, displayName } = described;
  return [
    ...withoutAnEntry()({ ...described }),
    ...withoutAnEntry()(labelled ?? {}).map((each) => ({ ...described, labels: each })),
    ...(displayName === undefined
      ? []
      : beginnings(displayName.trimEnd()).map((each) => ({ ...described, displayName: each.trimEnd() }))),
  ];
}

/** Volumes require a region, so they are omitted first. Fields of a revision belong together. */
function smallerSpecs(spec: Fragment): Fragment[] {
  const { triggers: list = [], runtime: sizes = {} } = spec as { triggers?: readonly object[]; runtime?: Runtime };
  const omittable = Object.keys(spec).filter((field) => field !== 'region' || spec['volumes'] === undefined);
  return [
    ...omittable.map((field) => omit(spec, field)),
    ...withoutAnElement()(list).map((each) => ({ ...spec, triggers: each })),
    ...smallerRuntimes(sizes).map((each) => ({ ...spec, runtime: each })),
  ];
}

interface Runtime {
  readonly envs?: readonly { readonly value?: string }[];
}

function smallerRuntimes(sizes: Runtime): Runtime[] {
  const { envs = [] } = sizes;
  const shorter = envs.flatMap((env, index) =>
    beginnings(env.value ?? '').map((value) => envs.with(index, { ...env, value })),
  );
  return [
    ...withoutAnEntry()({ ...sizes }),
    ...[...withoutAnElement()(envs), ...shorter].map((each) => ({ ...sizes, envs: each })),
  ];
}

const omit = (spec: Fragment, field: string): Fragment =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => name !== field));

function overrideSpec(spec: Fragment, fragment: Fragment): Fragment {
  const runtime = { ...spec.runtime, ...fragment.runtime };
  const revision = { ...spec.revision, ...fragment.revision };
  return {
    ...spec,
    ...fragment,
    ...(Object.keys(runtime).length > 0 && { runtime }),
    ...(Object.keys(revision).length > 0 && { revision }),
  };
}

const maxTimeout = limits.triggerTimeoutSeconds;

const metadata = fc.record({ displayName: readableText(limits.displayNameLength), labels }, { requiredKeys: [] });

const value = fc.oneof(
  readableText(100),
  fc.constantFrom('', ' padded ', 'two  spaces', 'two\nlines', 'a=b==', 'a%2Fb%20c+d', '$(OTHER) ${HOME} $$'),
);

const env = fc.record(
  { name: fc.stringMatching(/^ASSAY_[A-Z][A-Z0-9_]{0,15}$/), value, secret: fc.boolean() },
  { requiredKeys: ['name', 'value'] },
);

/** Not secret, although the name suggests it. */
const openEnv = fc.record({
  name: fc.constantFrom('ASSAY_API_KEY', 'ASSAY_PASSWORD', 'ASSAY_SECRET', 'ASSAY_TOKEN'),
  value,
  secret: fc.constant(false),
});

const runtime = ({ memory, minScale, maxScale }: Sizes, amounts: Amounts): fc.Arbitrary<object> =>
  fc.record(
    {
      envs: fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: env }, { weight: 1, arbitrary: openEnv }), {
        maxLength: Math.min(4, amounts.envs),
        selector: ({ name }) => name,
      }),
      ...(memory.length > 0 && { memory: fc.constantFrom(...memory) }),
      ...(minScale.length > 0 && { minScale: fc.constantFrom(...minScale) }),
      ...(maxScale.length > 0 && { maxScale: fc.integer({ min: 1, max: Math.max(...maxScale) }) }),
    },
    { requiredKeys: [] },
  );

const shared = { enabled: fc.boolean(), id: fc.boolean() };

/** With distinct ids and paths, because two triggers with one path may be refused. */
function triggers(generation: Generation, amounts: Amounts): fc.Arbitrary<object[]> {
  const timeout = generation === 'mk3' ? { timeout: fc.constantFrom(60, 77, maxTimeout - 1, maxTimeout) } : {};
  const schedule = amounts.schedule === undefined ? cronExpression : fc.constant(amounts.schedule);
  const retry = fc.integer({ min: 0, max: 3 });
  const http = fc.record({ ...shared, type: fc.constant('http') }, { requiredKeys: ['type', 'id'] });
  const later = fc.record(
    {
      ...shared,
      type: fc.constant('http-async'),
      configuration: fc.record({ retry, ...timeout }, { requiredKeys: [] }),
    },
    { requiredKeys: ['type', 'id', 'configuration'] },
  );
  const cron = fc.record(
    { ...shared, type: fc.constant('cron'), configuration: fc.record({ schedule }) },
    { requiredKeys: ['type', 'id', 'configuration'] },
  );
  const byType: Readonly<Record<TriggerType, fc.Arbitrary<Drawn>>> = { http, 'http-async': later, cron };
  if (amounts.types.length === 0) return fc.constant([]);
  return fc
    .array(fc.oneof(...amounts.types.map((type) => byType[type])), { maxLength: Math.min(4, amounts.triggers) })
    .map((list) => list.map((trigger, index) => placed(trigger, index, amounts)));
}

interface Drawn {
  readonly id: boolean;
  readonly type: string;
  readonly configuration?: object;
}

function placed({ id, ...trigger }: Drawn, index: number, amounts: Amounts): object {
  const path = trigger.type === 'cron' ? {} : { path: `/assay/${index}` };
  const { callbackUrl = `https://example.com/assay/${index}` } = amounts;
  const callback = trigger.type === 'http-async' ? { callbackUrl } : {};
  const configuration = { ...path, ...callback, ...trigger.configuration };
  return { ...(id && { id: `assay-${trigger.type}-${index}` }), ...trigger, configuration };
}
