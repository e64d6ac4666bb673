/** resources.metadata.*: fields that all resources of a workspace have in common. */
import { conforms } from '../engine/conforms.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import { isAfter, returningResources, seenResource, workspaceKey } from '../kit/resources/seen-resource.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Run } from '../engine/conforms.ts';
import { metadataOf, mismatch, resourceIn, formatBoth } from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';
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

conforms('resources.metadata.workspace-is-the-same', (run) => checkSameEverywhere(run, 'workspace'));

conforms('resources.metadata.plan-is-the-same', (run) => checkSameEverywhere(run, 'plan'));

/** Compares every response that includes the field with the first one. */
async function checkSameEverywhere(run: Run, field: string): Promise<void> {
  const responses = (await resourceResponses(run)).flatMap((exchange) => resourceIn(exchange) ?? []);
  const returned = [...responses, ...(await templateResponse(run))].filter(
    (each) => typeof metadataOf(each)[field] === 'string',
  );
  const operations = new Set(returned.map(({ exchange }) => exchange.operation));
  run.need(operations.size > 1, `responses to two operations that include metadata.${field}`);
  const [first] = returned;
  for (const each of returned) run.check(first === undefined ? [] : differences(first, each, field));
}

function differences(first: ReturnedResource, later: ReturnedResource, field: string) {
  const [expected, actual] = [metadataOf(first)[field], metadataOf(later)[field]];
  if (actual === expected) return [];
  const [one, other] = formatBoth(expected, actual);
  const found = mismatch(later, `metadata.${field}: ${one}`, `metadata.${field}: ${other}`);
  return [{ ...found, before: [first.exchange] }];
}
