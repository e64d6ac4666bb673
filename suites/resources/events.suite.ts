/** resources.events.*: the events of a resource's deployments. */
import { documentOf } from '../../spec/documents.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch } from '../target/violation.ts';
import { resourceResponses } from './resource-responses.ts';
import { isFields, isOmitted } from '../json/fields.ts';
import { mismatch, resourceIn, formatValue } from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';

const fields = Object.keys(documentOf('management').components.schemas['CoreEvent']?.properties ?? {});

conforms('resources.events.record-shape', async (run) => {
  const judged: Mismatch[][] = [];
  for (const exchange of await resourceResponses(run)) {
    const shown = resourceIn(exchange);
    if (shown !== undefined && !isOmitted(shown.resource['events'])) judged.push(misfits(shown));
  }
  run.need(judged.length > 0, 'an answer that shows events');
  run.check(...judged);
});

function misfits(shown: ReturnedResource): Mismatch[] {
  const { events } = shown.resource;
  if (!Array.isArray(events)) return [mismatch(shown, 'events: an array', `events: ${formatValue(events)}`)];
  return events.flatMap((record: unknown, index) => {
    const at = `events[${index}]`;
    if (!isFields(record)) return [mismatch(shown, `${at}: an object`, `${at}: ${formatValue(record)}`)];
    return fields
      .filter((field) => record[field] !== undefined && typeof record[field] !== 'string')
      .map((field) => mismatch(shown, `${at}.${field}: a string`, `${at}.${field}: ${formatValue(record[field])}`));
  });
}
