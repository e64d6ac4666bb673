/** The key figures of the world, then its resources by kind, latest change first. */
import { useState } from 'preact/hooks';
import type { ResourceView } from '../../control/views.ts';
import { KeyFigures } from './key-figures.tsx';
import { useMock } from './mock-state.ts';
import { ResourceRow } from './resource-row.tsx';
import { count } from './format.ts';
import { isMoving } from './status.tsx';
import type { LiveJournal } from './use-journal.ts';

const PAGE_SIZE = 40;

export function Resources({ journal }: { journal: LiveJournal }) {
  const { resources } = useMock();
  const [text, setText] = useState('');
  const [chosenKind, setChosenKind] = useState('Agent');
  const found = resources.filter((resource) => matches(resource, text));
  const kinds = [...Map.groupBy(found, ({ kind }) => kind)];
  const kind = kinds.some(([each]) => each === chosenKind) ? chosenKind : (kinds[0]?.[0] ?? chosenKind);
  return (
    <>
      <KeyFigures journal={journal} />
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
        {kinds.map(([each, ofKind]) => (
          <button key={each} type="button" aria-pressed={each === kind} onClick={() => setChosenKind(each)}>
            {each} <span class="count">{count(ofKind.length)}</span>
            {ofKind.some(({ status }) => isMoving(status)) && <span class="moving-dot"> in transition</span>}
          </button>
        ))}
      </div>
      <ResourceList key={kind} resources={found.filter((resource) => resource.kind === kind)} />
    </>
  );
}

function matches({ name, home, displayName, status }: ResourceView, text: string): boolean {
  const query = text.trim().toLowerCase();
  return [name, home, displayName, status].some((each) => each?.toLowerCase().includes(query));
}

function ResourceList({ resources }: { resources: readonly ResourceView[] }) {
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE);
  const newestFirst = resources.toSorted((a, b) =>
    a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0,
  );
  if (resources.length === 0) return <p class="soft">Nothing matches.</p>;
  return (
    <>
      <ul class="rows">
        {newestFirst.slice(0, visibleCount).map((resource) => (
          <ResourceRow key={`${resource.home}/${resource.collection}/${resource.name}`} resource={resource} />
        ))}
      </ul>
      {visibleCount < resources.length && (
        <button type="button" onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}>
          Show {Math.min(PAGE_SIZE, resources.length - visibleCount)} more of {count(resources.length)}
        </button>
      )}
    </>
  );
}
