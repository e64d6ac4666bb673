/** agents.update.idempotent: compares the outcome of a repeated update. */
import { documentOf } from '../../spec/documents.ts';
import { resolve } from '../../spec/openapi-document.ts';
import type { Schema } from '../../spec/openapi-document.ts';
import type { Mismatch } from '../engine/conforms.ts';
import { formatBoth } from '../expect/format-value.ts';
import { isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { unmatched } from '../json/unmatched.ts';
import type { Exchange } from '../target/client.ts';
import type { AgentBody } from '../kit/agents/test-agent.ts';

const document = documentOf('management');

/**
 * The status and the documented fields in both responses must be equal. Values that a deployment may generate are not
 * compared: the image, revisions, trigger ids that were not sent, read-only fields and secrets.
 */
export function outcomeMismatches(sent: AgentBody, first: Exchange, repeated: Exchange): Mismatch[] {
  if (first.response.status !== repeated.response.status) {
    const expected = `status ${first.response.status}, as the first time`;
    return [{ expected, actual: `status ${repeated.response.status}`, exchange: repeated, before: [first] }];
  }
  const [one, other] = [first, repeated].map(({ response }) => comparableAgent(sent, response.json));
  return differing(one, other, '').map((found) => {
    const [expected, actual] = formatBoth(found.one, found.other);
    const field = found.at.slice(1) || 'the body';
    return {
      expected: `${field}: ${expected}, as the first time`,
      actual: `${field}: ${actual}`,
      exchange: repeated,
      before: [first],
    };
  });
}

function comparableAgent(sent: AgentBody, json: unknown): unknown {
  const returned = settable({ $ref: '#/components/schemas/Agent' }, json);
  if (!isFields(returned) || !isFields(returned['spec'])) return returned;
  const { revision, runtime, triggers, ...spec } = returned['spec'];
  const sentSpec = sent.spec as { revision?: object; triggers?: readonly Fields[] };
  const { image: _image, ...rest } = (runtime ?? {}) as Fields;
  const sentIds = new Set(sentSpec.triggers?.map(({ id }) => id));
  return {
    ...returned,
    spec: {
      ...spec,
      ...(sentSpec.revision !== undefined && { revision: pickMembers(sentSpec.revision, revision) }),
      runtime: rest,
      ...(Array.isArray(triggers) && withoutIds(triggers as Fields[], sentIds)),
    },
  };
}

/** Compares the sent ids separately. */
function withoutIds(triggers: readonly Fields[], sent: ReadonlySet<unknown>): object {
  const ids = triggers.map(({ id }) => id).filter((id) => sent.has(id));
  return {
    triggers: triggers.map(({ id, ...trigger }) => (sent.has(id) ? trigger : withoutServerId(trigger, id))),
    ids,
  };
}

/** Shorter ids occur everywhere. */
const MIN_ID_LENGTH = 8;

/** Without an id that the server made, which may be part of other values, such as a path. */
function withoutServerId(value: unknown, id: unknown): unknown {
  if (typeof id !== 'string' || id.length < MIN_ID_LENGTH) return value;
  if (typeof value === 'string') return value.replaceAll(id, 'id');
  if (Array.isArray(value)) return value.map((each) => withoutServerId(each, id));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutServerId(each, id)]));
}

const pickMembers = (sent: object, returned: unknown): unknown =>
  isFields(returned) ? Object.fromEntries(Object.entries(returned).filter(([name]) => name in sent)) : returned;

/** The documented members that a client can set, without values of secret variables. */
function settable(schema: Schema, value: unknown): unknown {
  const known = resolve<Schema>(document, schema);
  if (Array.isArray(value)) return value.map((element) => settable(known.items ?? {}, element));
  if (!isFields(value) || known.properties === undefined) return value;
  const settableMembers = Object.entries(known.properties).filter(
    ([name, member]) =>
      Object.hasOwn(value, name) &&
      member.readOnly !== true &&
      !(member['x-secret'] === true && value['secret'] === true),
  );
  return Object.fromEntries(settableMembers.map(([name, member]) => [name, settable(member, value[name])]));
}

interface Differing {
  /** A path, with a dot before each member. */
  readonly at: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** Where two values differ, ignoring members of only one value and the order of lists. */
function differing(one: unknown, other: unknown, at: string): Differing[] {
  if (Array.isArray(one) && Array.isArray(other)) return isReordered(one, other) ? [] : [{ at, one, other }];
  if (!isFields(one) || !isFields(other)) return one === other ? [] : [{ at, one, other }];
  const both = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  return both.flatMap((name) => differing(one[name], other[name], `${at}.${name}`));
}

const isReordered = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length &&
  unmatched(one, other, (each, twin) => differing(each, twin, '').length === 0).length === 0;
