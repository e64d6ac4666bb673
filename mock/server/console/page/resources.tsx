/** The key figures of the world, then its resources by kind, latest change first. */
import { useState } from 'preact/hooks';
import type { ResourceView } from '../../control/views.ts';
import { Glance } from './key-figures.tsx';
import { useMock } from './mock-state.ts';
import { ResourceRow } from './resource-row.tsx';
import { count } from './format.ts';
import { isMoving } from './status.tsx';
import type { LiveJournal } from './use-journal.ts';

const AT_ONCE = 40;

export function Resources({ journal }: { journal: LiveJournal }) {
  const { resources } = useMock();
  const [text, setText] = useState('');
  const [chosen, setKind] = useState('Agent');
  const found = resources.filter((resource) => fits(resource, text));
  const kinds = [...Map.groupBy(found, ({ kind }) => kind)];
  const kind = kinds.some(([each]) => each === chosen) ? chosen : (kinds[0]?.[0] ?? chosen);
  return (
    <>
      <Glance journal={journal} />
      <search class="filters">
        <label>
          Filter
          <input
            type="search"
            placeholder="Name, workspace or status"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      </search>
      <div class="kinds" role="group" aria-label="Kind">
        {kinds.map(([each, own]) => (
          <button key={each} type="button" aria-pressed={each === kind} onClick={() => setKind(each)}>
            {each} <span class="count">{count(own.length)}</span>
            {own.some(({ status }) => isMoving(status)) && <span class="moving-dot"> in transition</span>}
          </button>
        ))}
      </div>
      <ResourceList key={kind} resources={found.filter((resource) => resource.kind === kind)} />
    </>
  );
}

function fits({ name, home, displayName, status }: ResourceView, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [name, home, displayName, status].some((each) => each?.toLowerCase().includes(wanted));
}

function ResourceList({ resources }: { resources: readonly ResourceView[] }) {
  const [most, setMost] = useState(AT_ONCE);
  const newestFirst = resources.toSorted((a, b) =>
    a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0,
  );
  if (resources.length === 0) return <p class="soft">Nothing fits.</p>;
  return (
    <>
      <ul class="rows">
        {newestFirst.slice(0, most).map((resource) => (
          <ResourceRow key={`${resource.home}/${resource.collection}/${resource.name}`} shown={resource} />
        ))}
      </ul>
      {most < resources.length && (
        <button type="button" onClick={() => setMost(most + AT_ONCE)}>
          Show {Math.min(AT_ONCE, resources.length - most)} more of {count(resources.length)}
        </button>
      )}
    </>
  );
}
