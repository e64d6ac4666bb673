/** resources.metadata.*: fields that all resources of a workspace have in common. */
import { conforms } from '../engine/conforms.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import { isAfter, returningResources, seenResource, workspaceKey } from '../kit/resources/seen-resource.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Run } from '../engine/conforms.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import { everyWrite, isRepeatable, performWrite } from '../kit/provision/writes.ts';
import { metadataOf, mismatch, resourceIn, formatBoth } from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';
import { isSuccessful } from '../target/eventually.ts';
import { resourceResponses } from './resource-responses.ts';
import { templateResponse } from './template-response.ts';

judgesInOrder('resources.metadata.workspace-is-the-same', returningResources, (facts) =>
  sameInOrder(facts, 'workspace', (known) => known.at(0)),
);

// A plan may be changed once. That an earlier one returns shows that resources have several.
judgesInOrder('resources.metadata.plan-is-the-same', returningResources, (facts) =>
  sameInOrder(facts, 'plan', (known, value) => (known.some((each) => each.value === value) ? known.at(-1) : undefined)),
);

interface Known {
  readonly seen: Seen;
  readonly returned: ReturnedResource;
  readonly value: string;
}

const MAX_KNOWN = 20;

/** Compares the field with an exchange that `pick` chooses among those of the same caller in which it changed. */
function sameInOrder(
  facts: Facts,
  field: string,
  pick: (known: readonly Known[], value: string) => Known | undefined,
): (seen: Seen) => Judged {
  const knownBy = new Map<string, Known[]>();
  return (seen) => {
    const returned = seenResource(seen);
    const value = returned && metadataOf(returned)[field];
    const key = workspaceKey(seen, facts);
    if (returned === undefined || typeof value !== 'string' || key === undefined) return undefined;
    const known = knownBy.get(key) ?? [];
    knownBy.set(key, known);
    const first = pick(known, value);
    if (known.at(-1)?.value !== value) known.push({ seen, returned, value });
    known.splice(MAX_KNOWN);
    return first !== undefined && isAfter(first.seen, seen) ? differences(first.returned, returned, field) : undefined;
  };
}

conforms('resources.metadata.workspace-is-the-same', async (run) => {
  const [first, ...others] = await responsesWith(run, 'workspace');
  for (const each of others) run.check(differences(first!, each, 'workspace'));
});

conforms('resources.metadata.plan-is-the-same', async (run) => {
  const [first, ...others] = await responsesWith(run, 'plan');
  const isEqual = others.every((each) => differences(first!, each, 'plan').length === 0);
  const current = isEqual ? first! : await writeAgain(run, first!);
  for (const each of others)
    run.check(differences(current, each, 'plan').length === 0 ? [] : differences(first!, each, 'plan'));
});

/** Responses of at least two operations that include the field. */
async function responsesWith(run: Run, field: string): Promise<ReturnedResource[]> {
  const responses = (await resourceResponses(run)).flatMap((exchange) => resourceIn(exchange) ?? []);
  const returned = [...responses, ...(await templateResponse(run))].filter(
    (each) => typeof metadataOf(each)[field] === 'string',
  );
  const operations = new Set(returned.map(({ exchange }) => exchange.operation));
  run.need(operations.size > 1, `responses to two operations that include metadata.${field}`);
  return returned;
}

/** The account may have changed its plan since the first response. */
async function writeAgain(run: Run, { exchange: { operation } }: ReturnedResource): Promise<ReturnedResource> {
  const write = (await everyWrite(run)).find((each) => each.id === operation && isRepeatable(run, each));
  const again = run.need(write, 'a resource whose plan can be read again');
  const { exchange } = await performWrite(run, again, plainMetadata(run), { isRead: false });
  return run.need(isSuccessful(exchange) ? resourceIn(exchange) : undefined, 'a second write that is accepted');
}

function differences(first: ReturnedResource, later: ReturnedResource, field: string) {
  const [expected, actual] = [metadataOf(first)[field], metadataOf(later)[field]];
  if (actual === expected) return [];
  const [one, other] = formatBoth(expected, actual);
  const found = mismatch(later, `metadata.${field}: ${one}`, `metadata.${field}: ${other}`);
  return [{ ...found, before: [first.exchange] }];
}
