/** Copies a string to the clipboard. */
import { useState } from 'preact/hooks';

interface Props {
  text: string;
  /** Read aloud after the label. */
  what: string;
  label?: string;
}

export function CopyButton({ text, what, label: initial = 'Copy' }: Props) {
  const [label, setLabel] = useState(initial);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setLabel('Copied');
    } catch {
      setLabel('Could not copy');
    }
  };
  return (
    <button type="button" onClick={() => void copy()} onBlur={() => setLabel(initial)}>
      <span aria-live="polite">{label}</span>
      <span class="spoken"> {what}</span>
    </button>
  );
}
