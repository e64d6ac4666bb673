/** agents.update.idempotent: whether a repeated update came to the same. */
import { documentOf, resolve } from '../../spec/documents.ts';
import type { Schema } from '../../spec/documents.ts';
import type { Mismatch } from '../engine/conforms.ts';
import { isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import type { Exchange } from '../target/client.ts';
import type { AgentBody } from '../kit/agents/subject.ts';

const document = documentOf('management');

/**
 * The status is the same, and so are the documented fields that both answers show. What a deployment may make anew is not
 * compared: the image, revisions and ids of triggers that were not sent, read-only fields, secrets.
 */
export function sameOutcome(sent: AgentBody, first: Exchange, again: Exchange): Mismatch[] {
  if (first.answer.status !== again.answer.status) {
    const expected = `status ${first.answer.status}, as the first time`;
    return [{ expected, actual: `status ${again.answer.status}`, exchange: again, before: [first] }];
  }
  const [one, other] = [first, again].map(({ answer }) => compared(sent, answer.json));
  return differing(one, other, '').map((at) => ({
    expected: `the same ${at} as the first time`,
    actual: 'another one',
    exchange: again,
    before: [first],
  }));
}

function compared(sent: AgentBody, json: unknown): unknown {
  const shown = settable({ $ref: '#/components/schemas/Agent' }, json);
  if (!isFields(shown) || !isFields(shown['spec'])) return shown;
  const { revision, runtime, triggers, ...spec } = shown['spec'];
  const asked = sent.spec as { revision?: object; triggers?: readonly Fields[] };
  const { image: _image, ...rest } = (runtime ?? {}) as Fields;
  const sentIds = new Set(asked.triggers?.map(({ id }) => id));
  return {
    ...shown,
    spec: {
      ...spec,
      ...(asked.revision !== undefined && { revision: onlyMembersOf(asked.revision, revision) }),
      runtime: rest,
      ...(Array.isArray(triggers) && withoutIds(triggers as Fields[], sentIds)),
    },
  };
}

/** Ids that were sent are compared for themselves. */
function withoutIds(triggers: readonly Fields[], sent: ReadonlySet<unknown>): object {
  const ids = triggers.map(({ id }) => id).filter((id) => sent.has(id));
  return { triggers: triggers.map(({ id: _id, ...trigger }) => trigger), ids };
}

const onlyMembersOf = (sent: object, shown: unknown): unknown =>
  isFields(shown) ? Object.fromEntries(Object.entries(shown).filter(([name]) => name in sent)) : shown;

/** The documented members that a client sets; the values of secret variables, however they are hidden, left out. */
function settable(schema: Schema, value: unknown): unknown {
  const known = resolve<Schema>(document, schema);
  if (Array.isArray(value)) return value.map((element) => settable(known.items ?? {}, element));
  if (!isFields(value) || known.properties === undefined) return value;
  const kept = Object.entries(known.properties).filter(
    ([name, member]) =>
      Object.hasOwn(value, name) &&
      member.readOnly !== true &&
      !(member['x-secret'] === true && value['secret'] === true),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, settable(member, value[name])]));
}

/** Where two values differ; members that only one of them has are passed over, and so is the order of lists. */
function differing(one: unknown, other: unknown, at: string): string[] {
  if (Array.isArray(one) && Array.isArray(other)) return isReordered(one, other) ? [] : [at.slice(1)];
  if (!isFields(one) || !isFields(other)) return one === other ? [] : [at.slice(1)];
  const both = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  return both.flatMap((name) => differing(one[name], other[name], `${at}.${name}`));
}

function isReordered(one: readonly unknown[], other: readonly unknown[]): boolean {
  const left = [...other];
  const found = one.every((element) => {
    const index = left.findIndex((each) => differing(element, each, '').length === 0);
    if (index !== -1) left.splice(index, 1);
    return index !== -1;
  });
  return found && left.length === 0;
}
