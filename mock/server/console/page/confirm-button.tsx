/** A button whose action needs a confirmation. */
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface Props {
  label: string;
  /** Read aloud after the label, if the label alone does not say what is meant. */
  about?: string;
  title: string;
  /** The label of the button that confirms. */
  confirm: string;
  action: () => void;
  /** Says what the action does. */
  children: ComponentChildren;
}

export function ConfirmButton({ label, about, title, confirm, action, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = (): void => dialog.current?.close();
  return (
    <>
      <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>
        {label}
        {about !== undefined && <span class="spoken"> {about}</span>}
      </button>
      <dialog ref={dialog} aria-labelledby={titleId}>
        <h2 id={titleId}>{title}</h2>
        <p>{children}</p>
        <div class="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              close();
              action();
            }}
          >
            {confirm}
          </button>
        </div>
      </dialog>
    </>
  );
}
