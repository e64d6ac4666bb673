/** The operations of a surface by tag, or those of all surfaces that match the filter. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Method } from './operation.tsx';
import { matchesText } from './operations.ts';
import type { ListedOperation, SurfaceReference } from './operations.ts';
import type { Place } from './use-place.ts';
import { counted } from '../format.ts';

export function Sidebar({ references, place }: { references: readonly SurfaceReference[]; place: Place }) {
  const [text, setText] = useState('');
  const query = text.trim();
  const listed = references
    .filter(({ name }) => query !== '' || name === place.surface)
    .map((reference) => ({ ...reference, found: reference.operations.filter((each) => matchesText(each, query)) }));
  const count = listed.reduce((sum, { found }) => sum + found.length, 0);
  return (
    <nav class={query === '' ? 'sidebar' : 'sidebar filtered'} aria-label="Operations">
      <label>
        Filter all operations
        <input
          type="search"
          placeholder="Name, method or path"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="soft" role="status">
        {query !== '' && counted(count, 'operation')}
      </p>
      {listed.map(({ name, found }) =>
        [...Map.groupBy(found, ({ tag }) => tag)].map(([tag, operations]) => (
          <TagGroup
            key={`${name} ${tag} ${query !== ''}`}
            title={query === '' ? tag : `${name}: ${tag}`}
            operations={operations}
            current={place.operation?.id}
            isOpen={query !== ''}
          />
        )),
      )}
    </nav>
  );
}

interface TagGroupProps {
  title: string;
  operations: readonly ListedOperation[];
  current: string | undefined;
  isOpen: boolean;
}

/** Unfolds when it contains the current operation. */
function TagGroup({ title, operations, current, isOpen: isOpenAtFirst }: TagGroupProps) {
  const hasCurrent = operations.some(({ id }) => id === current);
  const [isOpen, setOpen] = useState(isOpenAtFirst || hasCurrent);
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!hasCurrent) return;
    setOpen(true);
    element.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <details ref={element} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title} <span class="count">{operations.length}</span>
      </summary>
      <ul>
        {operations.map(({ id, method, summary }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? 'page' : undefined}>
              <Method method={method} /> <span>{summary}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
