/** Copies a string to the clipboard. */
import { useState } from 'preact/hooks';

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [label, setLabel] = useState('Copy');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setLabel('Copied');
    } catch {
      setLabel('Could not copy');
    }
  };
  return (
    <button type="button" onClick={() => void copy()} onBlur={() => setLabel('Copy')}>
      <span aria-live="polite">{label}</span>
      <span class="spoken"> {what}</span>
    </button>
  );
}
