/** Takes and restores snapshots of the world, and resets it. */
import { useRef } from 'preact/hooks';
import { requestJson, control, send } from './send-request.ts';
import { useMock } from './mock-state.ts';

export function WholeWorld() {
  const { act, target } = useMock();
  const chooser = useRef<HTMLInputElement>(null);
  const resetDialog = useRef<HTMLDialogElement>(null);
  const restore = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    await act(
      () => send(new URL('snapshot', control), { method: 'PUT', body: file, type: 'application/json' }),
      `The snapshot ${file.name} was restored.`,
    );
    if (chooser.current !== null) chooser.current.value = ''; // So that the same file can be chosen again.
  };
  const reset = (): void => {
    resetDialog.current?.close();
    void act(() => requestJson('reset', 'POST'), 'The world was reset.');
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
        <button type="button" class="danger" onClick={() => resetDialog.current?.showModal()}>
          Reset…
        </button>
      </div>
      <dialog ref={resetDialog} aria-labelledby="reset-title">
        <h2 id="reset-title">Reset this world?</h2>
        <p>Restores the initial state, including the clock, empties the journal and removes all fault rules.</p>
        <div class="buttons">
          <button type="button" onClick={() => resetDialog.current?.close()}>
            Cancel
          </button>
          <button type="button" class="danger" onClick={reset}>
            Reset the world
          </button>
        </div>
      </dialog>
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
