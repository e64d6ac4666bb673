/** Copies a text to the clipboard. */
import { useState } from 'preact/hooks';

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [label, setLabel] = useState('Copy');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setLabel('Copied'),
      () => setLabel('Copying was denied'),
    );
  };
  return (
    <button type="button" class="quiet copy" onClick={copy} onBlur={() => setLabel('Copy')}>
      <span aria-live="polite">{label}</span>
      <span class="spoken"> {what}</span>
    </button>
  );
}
