/** Puts a text on the clipboard, as it is. */
import { useState } from 'preact/hooks';

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState('Copy');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('Not allowed to copy'),
    );
  };
  return (
    <button type="button" class="quiet copy" onClick={copy} onBlur={() => setSaid('Copy')}>
      <span aria-live="polite">{said}</span>
      <span class="spoken"> {what}</span>
    </button>
  );
}
