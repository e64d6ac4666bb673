/** Takes and restores snapshots of the world. */
import { useRef } from 'preact/hooks';
import { control, send } from './send-request.ts';
import { useMock } from './mock-state.ts';

export function WholeWorld() {
  const { act, target } = useMock();
  const chooser = useRef<HTMLInputElement>(null);
  const restore = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    await act(
      () => send(new URL('snapshot', control), { method: 'PUT', body: file, type: 'application/json' }),
      `The snapshot ${file.name} was restored.`,
    );
    if (chooser.current !== null) chooser.current.value = ''; // So that the same file can be chosen again.
  };
  return (
    <section>
      <h2>This world</h2>
      <p class="soft">A snapshot contains the whole world, including credentials, as JSON.</p>
      <div class="buttons">
        <button
          type="button"
          onClick={() => void act(() => download(`${target.name}-snapshot.json`), 'The snapshot was downloaded.')}
        >
          Download a snapshot
        </button>
        <button type="button" onClick={() => chooser.current?.click()}>
          Restore a snapshot…
        </button>
        <input
          ref={chooser}
          type="file"
          accept="application/json,.json"
          aria-label="Snapshot to restore"
          hidden
          onChange={({ currentTarget }) => void restore(currentTarget.files?.[0])}
        />
      </div>
    </section>
  );
}

async function download(name: string): Promise<void> {
  const response = await send(new URL('snapshot', control));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
