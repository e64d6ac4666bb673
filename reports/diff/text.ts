/** Renders a comparison of two runs for a terminal of 80 columns. */
import { escapeControls, wrap } from '../printable.ts';
import type { painterFor } from '../terminal.ts';
import type { ReportDiff } from './compare-reports.ts';
import { sectionsOf, sideLines, diffVerdict } from './rows.ts';
import type { Row, Section } from './rows.ts';

const WIDTH = 80;
const MAX_LENGTH = 300;
type Paint = ReturnType<typeof painterFor>;

export function toText(diff: ReportDiff, paint: Paint): string {
  const sections = sectionsOf(diff).map((section) => sectionText(section, paint));
  const sides = sideLines(diff).map((line, index) => labeled(index === 0 ? 'first' : 'second', line, ''));
  const verdict = [
    wrap(escapeControls(diffVerdict(diff)), WIDTH),
    ...diff.worse.map((reason) => wrap(escapeControls(reason), WIDTH, '  ')),
  ].join('\n');
  const colour = diff.worse.length > 0 ? 'red' : 'green';
  return `${[sides.join('\n'), ...sections, paint(colour, verdict)].join('\n\n')}\n`;
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
  return [worse ? paint('red', head) : head, labeled('first', first), labeled('second', second)].join('\n');
}

const labeled = (label: string, text: string, indent = '    '): string =>
  wrap(`${label.padEnd(6)} ${escapeControls(truncate(text))}`, WIDTH, indent);

const truncate = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}… (in full with --format json)`;
