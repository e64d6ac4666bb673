/** resources.events.*: what a resource tells of its deployments. */
import { documentOf } from '../../spec/documents.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch } from '../target/violation.ts';
import { resourceAnswers } from './answers.ts';
import { isFields, isLeftOut } from '../json/fields.ts';
import { mismatch, resourceIn, told } from '../kit/resources/shown.ts';
import type { Shown } from '../kit/resources/shown.ts';

const fields = Object.keys(documentOf('management').components.schemas['CoreEvent']?.properties ?? {});

conforms('resources.events.record-shape', async (run) => {
  const judged: Mismatch[][] = [];
  for (const exchange of await resourceAnswers(run)) {
    const shown = resourceIn(exchange);
    if (shown !== undefined && !isLeftOut(shown.resource['events'])) judged.push(misfits(shown));
  }
  run.need(judged.length > 0, 'an answer that shows events');
  run.check(...judged);
});

function misfits(shown: Shown): Mismatch[] {
  const { events } = shown.resource;
  if (!Array.isArray(events)) return [mismatch(shown, 'events: an array', `events: ${told(events)}`)];
  return events.flatMap((record: unknown, index) => {
    const at = `events[${index}]`;
    if (!isFields(record)) return [mismatch(shown, `${at}: an object`, `${at}: ${told(record)}`)];
    return fields
      .filter((field) => record[field] !== undefined && typeof record[field] !== 'string')
      .map((field) => mismatch(shown, `${at}.${field}: a string`, `${at}.${field}: ${told(record[field])}`));
  });
}
