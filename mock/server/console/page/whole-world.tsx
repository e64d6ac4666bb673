/** Takes and restores snapshots of the world, and resets it. */
import { useRef } from 'preact/hooks';
import { ask, control, send } from './send-request.ts';
import { useMock } from './mock-state.ts';

export function WholeWorld() {
  const { act, target } = useMock();
  const chooser = useRef<HTMLInputElement>(null);
  const question = useRef<HTMLDialogElement>(null);
  const putIn = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    await act(
      () => send(new URL('snapshot', control), { method: 'PUT', body: file, type: 'application/json' }),
      `The world is that of ${file.name}.`,
    );
    if (chooser.current !== null) chooser.current.value = ''; // The same file may be chosen again.
  };
  const reset = (): void => {
    question.current?.close();
    void act(() => ask('reset', 'POST'), 'The world is as it began.');
  };
  return (
    <section>
      <h2>This world</h2>
      <p class="soft">A snapshot is the whole world as JSON, credentials included.</p>
      <div class="buttons">
        <button
          type="button"
          onClick={() => void act(() => download(`${target.name}-snapshot.json`), 'The snapshot is taken.')}
        >
          Download a snapshot
        </button>
        <button type="button" onClick={() => chooser.current?.click()}>
          Put a snapshot in…
        </button>
        <input
          ref={chooser}
          type="file"
          accept="application/json,.json"
          aria-label="Snapshot to put in"
          hidden
          onChange={({ currentTarget }) => void putIn(currentTarget.files?.[0])}
        />
        <button type="button" class="danger" onClick={() => question.current?.showModal()}>
          Reset…
        </button>
      </div>
      <dialog ref={question} aria-labelledby="reset-question">
        <h2 id="reset-question">Reset this world?</h2>
        <p>Everything goes back to how it began, the clock too. The journal is emptied, and no fault rule is left.</p>
        <div class="buttons">
          <button type="button" onClick={() => question.current?.close()}>
            Keep it
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
  const answer = await send(new URL('snapshot', control));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
