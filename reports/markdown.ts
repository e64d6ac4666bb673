/** Text of a target as Markdown that says it and does nothing: no markup, no link, no mention. */
import { printable } from './printable.ts';

/** On one line; line ends become escapes. */
export function codeSpan(text: string): string {
  const content = printable(text);
  if (content === '') return '_(empty)_';
  const ticks = '`'.repeat(longestRunOfTicks(content) + 1);
  return `${ticks} ${content} ${ticks}`;
}

/** Lines of its own, as they are. */
export function fenced(language: string, text: string): string {
  const content = printable(text, { lineEnds: true });
  const ticks = '`'.repeat(Math.max(3, longestRunOfTicks(content) + 1));
  return `${ticks}${language}\n${content}\n${ticks}`;
}

const longestRunOfTicks = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Prose: what could be markup or a mention is escaped, as CommonMark has it (2.4, 2.5). */
export const inertProse = (text: string): string =>
  printable(text).replaceAll(/[!-/:-@[-`{-~]/g, (mark) =>
    '&<>@'.includes(mark) ? `&#${mark.charCodeAt(0)};` : `\\${mark}`,
  );
