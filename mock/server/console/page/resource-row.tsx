/** One resource: a line that expands to its events and its JSON. */
import { useEffect, useState } from 'preact/hooks';
import type { ResourceView } from '../../control/views.ts';
import type { CoreEvent } from '../../../../spec/generated/types.ts';
import { ask } from './send-request.ts';
import { day, escapeInvisible } from './format.ts';
import { Status } from './status.tsx';

export function ResourceRow({ shown }: { shown: ResourceView }) {
  const [isOpen, setOpen] = useState(false);
  const { name, displayName, home, collection, status, updatedAt } = shown;
  const where = collection.includes('/') ? `${home}/${collection}` : home;
  return (
    <li>
      <button type="button" class="row" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="name">
          {name}{' '}
          {displayName !== null && displayName !== name && <span class="soft">{escapeInvisible(displayName)}</span>}
        </span>
        <span class="soft where">{where}</span>
        <Status status={status} />
        <span class="soft when">{day(updatedAt)}</span>
      </button>
      {isOpen && <Details shown={shown} />}
    </li>
  );
}

interface Whole {
  readonly events?: readonly CoreEvent[];
}

/** Fetched again when its line changes. */
function Details({ shown }: { shown: ResourceView }) {
  const { home, collection, name, status, updatedAt } = shown;
  const [resource, setResource] = useState<Whole>();
  useEffect(() => {
    const query = new URLSearchParams({ home, collection, name });
    ask<{ resources: ResourceView[] }>(`resources?${query}`).then(
      ({ resources: [found] }) => setResource(found?.resource),
      () => setResource(undefined), // The line above says what is wrong, or goes.
    );
  }, [home, collection, name, status, updatedAt]);
  if (resource === undefined) return <p class="soft details">Asking the mock…</p>;
  return (
    <div class="details">
      <Events events={resource.events ?? []} />
      <pre tabIndex={0} role="region" aria-label={`${name} as JSON`}>
        {escapeInvisible(JSON.stringify(resource, null, 2))}
      </pre>
    </div>
  );
}

function Events({ events }: { events: readonly CoreEvent[] }) {
  if (events.length === 0) return null;
  return (
    <ol class="events" aria-label="Events, the newest first">
      {events.toReversed().map(({ time, status, message, revision }) => (
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
