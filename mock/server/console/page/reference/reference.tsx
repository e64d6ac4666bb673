/** The API reference: the surfaces at the top, their operations at the side, one operation or an overview in the middle. */
import { useEffect, useState } from 'preact/hooks';
import type { TargetFile } from '../../../../../spec/formats/target-file.ts';
import { nearest } from '../../../../../spec/nearest.ts';
import { escapeInvisible } from '../format.ts';
import { OperationPage } from './operation.tsx';
import { loadReference } from './load-reference.ts';
import type { SurfaceReference } from './operations.ts';
import { Overview } from './overview.tsx';
import { Sidebar } from './sidebar.tsx';
import { usePlace } from './use-place.ts';
import type { Place } from './use-place.ts';

export function Reference({ target }: { target: TargetFile }) {
  const [references, setReferences] = useState<readonly SurfaceReference[]>();
  const [failure, setFailure] = useState<Error>();
  useEffect(() => {
    loadReference().then(setReferences, setFailure);
  }, []);
  if (references === undefined) return <p class="wait">{failure?.message ?? 'Loading…'}</p>;
  return <Loaded references={references} target={target} />;
}

const titles = { management: 'Management', host: 'Host', inference: 'Inference', sandbox: 'Sandbox' } as const;

function Loaded({ references, target }: { references: readonly SurfaceReference[]; target: TargetFile }) {
  const place = usePlace(references);
  const { surface, operation } = place;
  const reference = references.find(({ name }) => name === surface);
  useEffect(() => {
    document.title = `${operation?.summary ?? `${titles[surface]} API`} · API reference · assay mock`;
  }, [surface, operation]);
  if (reference === undefined) return null;
  return (
    <>
      <header>
        <a class="skip" href="#content" onClick={skipToContent}>
          Skip to content
        </a>
        <p class="masthead">
          <strong>API reference</strong>
          <span class="soft">{target.addresses.management}</span>
          <a href="./">Console</a>
        </p>
        <nav aria-label="Surfaces">
          {references.map(({ name }) => (
            <a key={name} href={`#${name}`} aria-current={name === surface ? 'page' : undefined}>
              {titles[name]}
            </a>
          ))}
        </nav>
      </header>
      <div class={operation === undefined ? 'reference' : 'reference has-operation'}>
        <Sidebar references={references} place={place} />
        <main id="content" tabIndex={-1}>
          <UnknownOperation place={place} references={references} />
          {operation === undefined ? (
            <Overview reference={reference} />
          ) : (
            <OperationPage operation={operation} reference={reference} target={target} />
          )}
        </main>
      </div>
    </>
  );
}

/** Keeps the fragment, which names the operation. */
function skipToContent(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function UnknownOperation({
  place: { unknown },
  references,
}: {
  place: Place;
  references: readonly SurfaceReference[];
}) {
  if (unknown === undefined) return null;
  const ids = references.flatMap(({ operations }) => operations.map(({ id }) => id));
  return (
    <div class="notice refusal" role="alert">
      <p>
        The API has no operation <code>{escapeInvisible(unknown)}</code>.{' '}
        {nearest(unknown, ids).map((id) => (
          <a key={id} href={`#${id}`}>
            {id}{' '}
          </a>
        ))}
      </p>
    </div>
  );
}
