/** resources.events.*: the events of a resource's deployments. */
import { documentOf } from '../../spec/documents.ts';
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import { returningResources, seenResource } from '../kit/resources/seen-resource.ts';
import { parseLenientInstant } from '../expect/instant.ts';
import type { Mismatch } from '../target/violation.ts';
import { resourceResponses } from './resource-responses.ts';
import { isFields, isOmitted } from '../json/fields.ts';
import { mismatch, resourceIn, formatValue } from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';

const fields = Object.keys(documentOf('management').components.schemas['CoreEvent']?.properties ?? {});

judges('resources.events.record-shape', returningResources, (seen) => {
  const returned = seenResource(seen);
  return returned === undefined || isOmitted(returned.resource['events']) ? undefined : misfits(returned);
});

conforms('resources.events.record-shape', async (run) => {
  const judged: Mismatch[][] = [];
  for (const exchange of await resourceResponses(run)) {
    const returned = resourceIn(exchange);
    if (returned !== undefined && !isOmitted(returned.resource['events'])) judged.push(misfits(returned));
  }
  run.need(judged.length > 0, 'a response with events');
  run.check(...judged);
});

judges('resources.events.times-are-timestamps', returningResources, (seen) => {
  const returned = seenResource(seen);
  const times = returned === undefined ? [] : timesOf(returned);
  return times.length === 0 ? undefined : times.flatMap((time) => notTimestamp(returned!, time));
});

conforms('resources.events.times-are-timestamps', async (run) => {
  const judged = (await resourceResponses(run))
    .flatMap((exchange) => resourceIn(exchange) ?? [])
    .flatMap((returned) => timesOf(returned).map((time) => notTimestamp(returned, time)));
  run.need(judged.length > 0, 'a response with the time of an event');
  run.check(...judged);
});

function timesOf({ resource: { events } }: ReturnedResource): string[] {
  const records = Array.isArray(events) ? events.filter(isFields) : [];
  return records.map(({ time }) => time).filter((time) => typeof time === 'string');
}

const notTimestamp = (returned: ReturnedResource, time: string): Mismatch[] =>
  parseLenientInstant(time) === undefined
    ? [mismatch(returned, 'events[].time: a timestamp', `events[].time: ${formatValue(time)}`)]
    : [];

function misfits(returned: ReturnedResource): Mismatch[] {
  const { events } = returned.resource;
  if (!Array.isArray(events)) return [mismatch(returned, 'events: an array', `events: ${formatValue(events)}`)];
  return events.flatMap((record: unknown, index) => {
    const at = `events[${index}]`;
    if (!isFields(record)) return [mismatch(returned, `${at}: an object`, `${at}: ${formatValue(record)}`)];
    return fields
      .filter((field) => !isOmitted(record[field]) && typeof record[field] !== 'string')
      .map((field) => mismatch(returned, `${at}.${field}: a string`, `${at}.${field}: ${formatValue(record[field])}`));
  });
}
