/** One resource: a line that expands to its events and its JSON. */
import { useEffect, useState } from 'preact/hooks';
import type { ResourceView } from '../../control/views.ts';
import type { CoreEvent } from '../../../../spec/generated/types.ts';
import { requestJson } from './send-request.ts';
import { day, escapeInvisible } from './format.ts';
import { ResourceActions } from './resource-actions.tsx';
import { Status } from './status.tsx';

export function ResourceRow({ resource }: { resource: ResourceView }) {
  const [isOpen, setOpen] = useState(false);
  const { name, displayName, home, collection, status, updatedAt } = resource;
  const location = collection.includes('/') ? `${home}/${collection}` : home;
  return (
    <li>
      <button type="button" class="row" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="name">
          {name}{' '}
          {displayName !== null && displayName !== name && <span class="soft">{escapeInvisible(displayName)}</span>}
        </span>
        <span class="soft where">{location}</span>
        <Status status={status} />
        <span class="soft when">{day(updatedAt)}</span>
      </button>
      {isOpen && <Details resource={resource} />}
    </li>
  );
}

interface FullResource {
  readonly events?: readonly CoreEvent[];
}

/** Refetches with every poll: an event need not change the status or the time of the last update. */
function Details({ resource }: { resource: ResourceView }) {
  const { home, collection, name } = resource;
  const [full, setFull] = useState<FullResource>();
  useEffect(() => {
    const query = new URLSearchParams({ home, collection, name });
    requestJson<{ resources: ResourceView[] }>(`resources?${query}`).then(
      ({ resources: [found] }) => setFull(found?.resource),
      () => setFull(undefined), // The next poll reports the error or removes the row.
    );
  }, [resource]); // A new object with every poll.
  if (full === undefined) return <p class="soft details">Loading…</p>;
  return (
    <div class="details">
      <ResourceActions resource={resource} />
      <Events events={full.events ?? []} />
      <pre tabIndex={0} role="region" aria-label={`${name} as JSON`}>
        {escapeInvisible(JSON.stringify(full, null, 2))}
      </pre>
    </div>
  );
}

/** In the order of the API. */
function Events({ events }: { events: readonly CoreEvent[] }) {
  if (events.length === 0) return null;
  return (
    <ol class="events" aria-label="Events, the oldest first">
      {events.map(({ time, status, message, revision }) => (
        <li key={`${revision} ${status} ${time}`}>
          <Status status={status ?? null} /> <span>{escapeInvisible(message ?? '')}</span>
          <span class="soft">
            {day(time ?? '')} · {revision}
          </span>
        </li>
      ))}
    </ol>
  );
}
