/** Escapes text from a target for Markdown: no markup, links or mentions. */
import { escapeControls } from './printable.ts';

/** On one line: line ends are escaped. */
export function codeSpan(text: string): string {
  const content = escapeControls(text);
  if (content === '') return '_(empty)_';
  const ticks = '`'.repeat(longestRunOfTicks(content) + 1);
  return `${ticks} ${content} ${ticks}`;
}

/** A fenced code block; line ends are kept. */
export function codeBlock(language: string, text: string): string {
  const content = escapeControls(text, { lineEnds: true });
  const ticks = '`'.repeat(Math.max(3, longestRunOfTicks(content) + 1));
  return `${ticks}${language}\n${content}\n${ticks}`;
}

const longestRunOfTicks = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Escapes punctuation that could be markup or a mention (CommonMark 2.4, 2.5). */
export const escapeProse = (text: string): string =>
  escapeControls(text).replaceAll(/[!-/:-@[-`{-~]/g, (mark) =>
    '&<>@'.includes(mark) ? `&#${mark.charCodeAt(0)};` : `\\${mark}`,
  );
