/** Copies a string to the clipboard. */
import { useState } from 'preact/hooks';

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState('Copy');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Not allowed to copy');
    }
  };
  return (
    <button type="button" onClick={() => void copy()} onBlur={() => setSaid('Copy')}>
      <span aria-live="polite">{said}</span>
      <span class="spoken"> {what}</span>
    </button>
  );
}
