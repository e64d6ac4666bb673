/** resources.status.*: the values of a resource's status. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch } from '../target/violation.ts';
import { resourceResponses } from './resource-responses.ts';
import { mismatch, resourceIn, formatValue } from '../kit/resources/returned-resource.ts';

conforms('resources.status.known-value', async (run) => {
  const { statuses } = run.rule.values;
  const judged: Mismatch[][] = [];
  for (const exchange of await resourceResponses(run)) {
    const returned = resourceIn(exchange);
    const status = returned?.resource['status'] ?? undefined;
    if (returned === undefined || status === undefined) continue;
    const isKnown = (statuses as readonly unknown[]).includes(status);
    judged.push(isKnown ? [] : [mismatch(returned, `one of ${statuses.join(', ')}`, `status ${formatValue(status)}`)]);
  }
  run.need(judged.length > 0, 'a response with a status');
  run.check(...judged);
});
