/** resources.metadata.*: fields that all resources of a workspace have in common. */
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { metadataOf, mismatch, resourceIn, formatBoth } from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';
import { resourceResponses } from './resource-responses.ts';
import { templateResponse } from './template-response.ts';

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
