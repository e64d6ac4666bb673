/** Renders a comparison of two runs for a terminal: the verdict first. */
import { escapeControls, wrap } from '../printable.ts';
import type { Style } from '../terminal.ts';
import type { ReportDiff } from './compare-reports.ts';
import { notesOf, sectionsOf, sideLines, diffVerdict } from './rows.ts';
import type { Row, Section } from './rows.ts';

const MAX_LENGTH = 300;

export function toText(diff: ReportDiff, style: Style): string {
  const { paint, width } = style;
  const sections = sectionsOf(diff).map((section) => sectionText(section, style));
  const sides = sideLines(diff).map((line, index) => labeled(index === 0 ? 'first' : 'second', line, width, '  '));
  const colour = diff.worse.length > 0 ? 'red' : 'green';
  const verdict = paint(colour, wrap(escapeControls(diffVerdict(diff)), width));
  const parts = [[verdict, ...sides].join('\n'), ...sections, ...notesOf(diff).map((note) => wrap(note, width))];
  return `${parts.join('\n\n')}\n`;
}

function sectionText({ title, rows, maxRows = rows.length }: Section, style: Style): string {
  const more = rows.length - maxRows;
  return [
    style.paint('bold', `${title} (${rows.length})`),
    ...rows.slice(0, maxRows).map((row) => rowText(row, style)),
    ...(more > 0 ? [`  and ${more} more (all with --format json)`] : []),
  ].join('\n');
}

function rowText({ id, what, first, second, worse }: Row, { paint, width }: Style): string {
  const head = wrap(escapeControls(what === undefined ? id : `${id}, ${what}`), width, '  ');
  const both = `    ${escapeControls(`${first} → ${second}`)}`;
  const lines = both.length <= width ? [both] : [labeled('first', first, width), labeled('second', second, width)];
  return [worse ? paint('red', head) : head, ...lines].join('\n');
}

const labeled = (label: string, text: string, width: number, indent = '    '): string =>
  wrap(`${label.padEnd(6)} ${escapeControls(truncate(text))}`, width, indent, { breaksWords: true });

const truncate = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}… (in full with --format json)`;
