/** resources.status.*: the words for how far a resource is. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch } from '../target/violation.ts';
import { resourceAnswers } from './answers.ts';
import { mismatch, resourceIn, told } from '../kit/resources/shown.ts';

conforms('resources.status.known-value', async (run) => {
  const { statuses } = run.rule.values;
  const judged: Mismatch[][] = [];
  for (const exchange of await resourceAnswers(run)) {
    const shown = resourceIn(exchange);
    const status = shown?.resource['status'] ?? undefined;
    if (shown === undefined || status === undefined) continue;
    const isKnown = (statuses as readonly unknown[]).includes(status);
    judged.push(isKnown ? [] : [mismatch(shown, `one of ${statuses.join(', ')}`, `status ${told(status)}`)]);
  }
  run.need(judged.length > 0, 'an answer that shows a status');
  run.check(...judged);
});
