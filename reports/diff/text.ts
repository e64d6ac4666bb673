/** Renders a comparison of two runs for a terminal of 80 columns: the verdict first. */
import { escapeControls, wrap } from '../printable.ts';
import type { painterFor } from '../terminal.ts';
import type { ReportDiff } from './compare-reports.ts';
import { notesOf, sectionsOf, sideLines, diffVerdict } from './rows.ts';
import type { Row, Section } from './rows.ts';

const WIDTH = 80;
const MAX_LENGTH = 300;
type Paint = ReturnType<typeof painterFor>;

export function toText(diff: ReportDiff, paint: Paint): string {
  const sections = sectionsOf(diff).map((section) => sectionText(section, paint));
  const sides = sideLines(diff).map((line, index) => labeled(index === 0 ? 'first' : 'second', line, '  '));
  const colour = diff.worse.length > 0 ? 'red' : 'green';
  const verdict = paint(colour, wrap(escapeControls(diffVerdict(diff)), WIDTH));
  const parts = [[verdict, ...sides].join('\n'), ...sections, ...notesOf(diff).map((note) => wrap(note, WIDTH))];
  return `${parts.join('\n\n')}\n`;
}

function sectionText({ title, rows, maxRows = rows.length }: Section, paint: Paint): string {
  const more = rows.length - maxRows;
  return [
    paint('bold', `${title} (${rows.length})`),
    ...rows.slice(0, maxRows).map((row) => rowText(row, paint)),
    ...(more > 0 ? [`  and ${more} more (all with --format json)`] : []),
  ].join('\n');
}

function rowText({ id, what, first, second, worse }: Row, paint: Paint): string {
  const head = wrap(escapeControls(what === undefined ? id : `${id}, ${what}`), WIDTH, '  ');
  const both = `    ${escapeControls(`${first} → ${second}`)}`;
  const lines = both.length <= WIDTH ? [both] : [labeled('first', first), labeled('second', second)];
  return [worse ? paint('red', head) : head, ...lines].join('\n');
}

const labeled = (label: string, text: string, indent = '    '): string =>
  wrap(`${label.padEnd(6)} ${escapeControls(truncate(text))}`, WIDTH, indent, { breaksWords: true });

const truncate = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}… (in full with --format json)`;
