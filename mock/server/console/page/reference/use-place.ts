/** What the fragment of the URL names: an operation, or the overview of a surface. */
import { useEffect, useState } from 'preact/hooks';
import { surfaces } from '../../../../../spec/openapi-document.ts';
import type { Surface } from '../../../../../spec/openapi-document.ts';
import type { ListedOperation, SurfaceReference } from './operations.ts';

export interface Place {
  readonly surface: Surface;
  /** Absent: the overview of the surface. */
  readonly operation?: ListedOperation;
  /** A name that no document contains. */
  readonly unknown?: string;
}

export function placeOf(hash: string, references: readonly SurfaceReference[]): Place {
  const name = hash.replace(/^#/, '');
  const operation = references.flatMap(({ operations }) => operations).find(({ id }) => id === name);
  if (operation !== undefined) return { surface: operation.surface, operation };
  const surface = surfaces.find((each) => each === name);
  if (surface !== undefined) return { surface };
  return { surface: 'management', ...(name !== '' && { unknown: name }) };
}

/** Scrolls to the top of the page that a followed link opens, and focuses its heading. */
export function usePlace(references: readonly SurfaceReference[]): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    if (hash === '') return;
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [hash]);
  return placeOf(hash, references);
}
