/** resources.url.*: where a workload is reached. */
import { conforms } from '../conforms.ts';
import type { Mismatch } from '../violation.ts';
import { resourceAnswers } from './answers.ts';
import { isFields, metadataOf, mismatch, shownIn, told } from './shown.ts';
import type { Shown } from './shown.ts';

const workloads = new Set<string | undefined>(['updateAgent', 'createFunction']);

conforms('resources.url.present-on-workloads', async (run) => {
  const judged: Mismatch[][] = [];
  for (const exchange of await resourceAnswers(run)) {
    const shown = shownIn(exchange);
    if (!workloads.has(exchange.operation) || shown === undefined || !isFields(shown.resource['metadata'])) continue;
    judged.push(withoutUrl(shown));
  }
  run.need(judged.length > 0, 'an answer that shows the metadata of an agent or a function');
  run.check(...judged);
});

function withoutUrl(shown: Shown): Mismatch[] {
  const { url } = metadataOf(shown);
  const isAbsolute = typeof url === 'string' && /^https?:\/\/./i.test(url) && URL.canParse(url);
  return isAbsolute ? [] : [mismatch(shown, 'metadata.url: an absolute URL', `metadata.url: ${told(url)}`)];
}
