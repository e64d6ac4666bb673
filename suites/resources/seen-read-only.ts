/** Read-only fields that the response to a write has as its client sent them, in anybody's traffic. */
import { isDeepStrictEqual } from 'node:util';
import { operations } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import { lateness, parseLenientInstant } from '../expect/instant.ts';
import { fieldsOf, isFields, isOmitted } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { formatValue, metadataOf, mismatch } from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';
import { agentKey, remember, resourceWrites, seenResource, workspaceKey } from '../kit/resources/seen-resource.ts';

/** Fields of metadata that are equal in the responses to the same caller, or to updates of the same agent. */
const sameForCaller = ['plan', 'updatedBy', 'workspace'];
const sameForAgent = ['createdBy', 'url'];

/** The writes, and the operations whose responses may tell a client the values. */
export const readOrWrites = operations
  .filter(({ surface, path }) => surface === 'management' && !path.startsWith('/accounts'))
  .map(({ id }) => id);

const isWrite = (id: OperationId): boolean => (resourceWrites as readonly OperationId[]).includes(id);

/**
 * A client may send what it has read, and other clients may have changed it since. So a value only counts as the client's if no
 * response before had it: an instant that no server assigns, or another value than responses had before.
 */
export function judgeReadOnly(facts: Facts): (seen: Seen) => Judged {
  const known = new Map<string, string>();
  const given = new Map<string, true>();
  const isGiven = (value: unknown): boolean => given.has(JSON.stringify(value));
  return (seen) => {
    const returned = isWrite(seen.operation.id) ? seenResource(seen) : undefined;
    if (returned === undefined) {
      for (const value of readOnlyValuesIn(seen.json)) remember(given, JSON.stringify(value), true);
      return undefined;
    }
    const instants = impossibleInstants(seen, returned).filter((each) => !isGiven(each.sent));
    const adopted = [...instants];
    let isJudged = hasImpossibleInstant(seen.sent);
    for (const field of [...sameForCaller, ...sameForAgent]) {
      const [sent, value] = [metadataIn(seen.sent)[field], metadataOf(returned)[field]];
      if (typeof value !== 'string' || value === '') continue;
      const key = keyOf(field, seen, facts, returned);
      const before = key === undefined ? undefined : known.get(key);
      const isUncertain = sent === value && !isGiven(value) && before !== value;
      if (!isOmitted(sent) && before !== undefined) isJudged = true;
      if (isUncertain && before !== undefined) adopted.push({ field, sent });
      if (isUncertain) continue;
      remember(given, JSON.stringify(value), true);
      if (key !== undefined) remember(known, key, value);
    }
    if (!isJudged) return undefined;
    return adopted.map(({ field, sent }) =>
      mismatch(returned, `${field} set by the server`, `${field} sent by the client: ${formatValue(sent)}`),
    );
  };
}

function keyOf(field: string, seen: Seen, facts: Facts, returned: ReturnedResource): string | undefined {
  const { id } = seen.operation;
  const isOfAgent = id === 'updateAgent' && sameForAgent.includes(field);
  if (field === 'url' && !isOfAgent) return undefined;
  const key = isOfAgent ? agentKey(seen, facts, returned) : workspaceKey(seen, facts);
  return key === undefined ? undefined : `${field} ${isOfAgent ? 'of agent' : ''} ${key}`;
}

interface Adopted {
  readonly field: string;
  readonly sent: unknown;
}

const DAY_MS = 24 * 3_600_000;

/** Older than any resource of such a service. Earlier instants are used for none. */
const [OLDEST, NONE] = [Date.UTC(2015), Date.UTC(1971)];

/** Whether no server has assigned it: it is in the future, or long before the service. */
function isImpossible(value: unknown): value is string {
  const instant = parseLenientInstant(value) ?? NONE;
  return instant > Date.now() + DAY_MS || (instant < OLDEST && instant > NONE);
}

/** Impossible instants that were sent and returned, and event records with one. */
function impossibleInstants(seen: Seen, returned: ReturnedResource): Adopted[] {
  const [sent, metadata] = [metadataIn(seen.sent), metadataOf(returned)];
  const times = ['createdAt', 'updatedAt'].filter((field) => {
    const [own, other] = [sent[field], metadata[field]];
    return isImpossible(own) && typeof other === 'string' && isImpossible(other) && lateness(own, other) === 0;
  });
  const events = eventsIn(returned.resource);
  const records = eventsIn(seen.sent).filter(
    (record) => isImpossible(record['time']) && events.some((each) => isDeepStrictEqual(each, record)),
  );
  return [
    ...times.map((field) => ({ field, sent: sent[field] })),
    ...records.map((record) => ({ field: 'events', sent: record })),
  ];
}

function eventsIn(resource: unknown) {
  const events = fieldsOf(resource)?.['events'];
  return Array.isArray(events) ? events.filter(isFields) : [];
}

const hasImpossibleInstant = (sent: unknown): boolean =>
  ['createdAt', 'updatedAt'].some((field) => isImpossible(metadataIn(sent)[field])) ||
  eventsIn(sent).some(({ time }) => isImpossible(time));

const readOnlyNames = new Set([...sameForCaller, ...sameForAgent, 'createdAt', 'updatedAt', 'events']);

/** At any depth: a read, or a list, may have told the client. */
function readOnlyValuesIn(json: unknown): unknown[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]: [string, unknown]) =>
    readOnlyNames.has(name) ? [value, ...(Array.isArray(value) ? (value as unknown[]) : [])] : readOnlyValuesIn(value),
  );
}
