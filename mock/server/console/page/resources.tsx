/** The key figures of the world, then its resources of one kind, latest change first. */
import { useState } from 'preact/hooks';
import type { ResourceView } from '../../control/views.ts';
import { CreateForm } from './create-form.tsx';
import { KeyFigures } from './key-figures.tsx';
import { useMock } from './mock-state.ts';
import { ResourceRow } from './resource-row.tsx';
import { count } from './format.ts';
import { isMoving } from './status.tsx';
import type { LiveJournal } from './use-journal.ts';

const PAGE_SIZE = 40;

export function Resources({ journal }: { journal: LiveJournal }) {
  const { resources, facts } = useMock();
  const [text, setText] = useState('');
  const [kind, setKind] = useState(facts.kinds[0]?.kind ?? '');
  const [isCreating, setCreating] = useState(false);
  const found = resources.filter((resource) => matches(resource, text));
  const byKind = Map.groupBy(found, (resource) => resource.kind);
  const chosen = facts.kinds.find((each) => each.kind === kind);
  return (
    <>
      <KeyFigures journal={journal} />
      <search class="filters">
        <label>
          Kind
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
            {facts.kinds.map((each) => (
              <option key={each.kind} value={each.kind}>
                {each.kind} ({describeCount(byKind.get(each.kind) ?? [])})
              </option>
            ))}
          </select>
        </label>
        <label class="wide">
          Filter
          <input
            type="search"
            placeholder="Name, workspace or status"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        {chosen?.isCreatable === true && (
          <button type="button" aria-expanded={isCreating} onClick={() => setCreating(!isCreating)}>
            Create…
          </button>
        )}
      </search>
      {isCreating && chosen?.isCreatable === true && (
        <CreateForm key={kind} kind={chosen} close={() => setCreating(false)} />
      )}
      <ResourceList key={`list of ${kind}`} resources={byKind.get(kind) ?? []} />
    </>
  );
}

function describeCount(resources: readonly ResourceView[]): string {
  const moving = resources.filter(({ status }) => isMoving(status)).length;
  return moving === 0 ? count(resources.length) : `${count(resources.length)}, ${count(moving)} in transition`;
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
