/** Positions in a text as editors show them. */

/** Both count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly col: number;
}

/** A mistake in a text. */
export interface TextMistake extends TextPosition {
  /** Without a full stop. */
  readonly message: string;
}

export function positionAt(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, col: (lines.at(-1) ?? '').length + 1 };
}
