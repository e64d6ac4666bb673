/** resources.status.*: the values of a resource's status. */
import { requirement } from '../../spec/requirements/index.ts';
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import { returningResources, seenResource } from '../kit/resources/seen-resource.ts';
import { isOmitted } from '../json/fields.ts';
import type { Mismatch } from '../target/violation.ts';
import { resourceResponses } from './resource-responses.ts';
import { mismatch, resourceIn, formatValue } from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';

const statuses: readonly unknown[] = requirement('resources.status.known-value').values.statuses;

/** Undefined without a status. */
function unknownStatus(returned: ReturnedResource): Mismatch[] | undefined {
  const { status } = returned.resource;
  if (isOmitted(status)) return undefined;
  if (statuses.includes(status)) return [];
  return [mismatch(returned, `one of ${statuses.join(', ')}`, `status ${formatValue(status)}`)];
}

judges('resources.status.known-value', returningResources, (seen) => {
  const returned = seenResource(seen);
  return returned && unknownStatus(returned);
});

conforms('resources.status.known-value', async (run) => {
  const returned = (await resourceResponses(run)).flatMap((exchange) => resourceIn(exchange) ?? []);
  const judged = returned.map(unknownStatus).filter((each) => each !== undefined);
  run.need(judged.length > 0, 'a response with a status');
  run.check(...judged);
});
