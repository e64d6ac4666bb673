/** A comparison of two runs for a terminal of 80 columns. */
import { printable, wrapped } from '../printable.ts';
import type { painterFor } from '../terminal.ts';
import type { ReportDiff } from './compare-reports.ts';
import { sectionsOf, sideLines, verdictOn } from './rows.ts';
import type { Row, Section } from './rows.ts';

const WIDTH = 80;
const LONGEST = 300;
type Paint = ReturnType<typeof painterFor>;

export function toText(diff: ReportDiff, paint: Paint): string {
  const sections = sectionsOf(diff).map((section) => sectionText(section, paint));
  const sides = sideLines(diff).map((line, index) => labelled(index === 0 ? 'first' : 'second', line, ''));
  const verdict = [verdictOn(diff), ...diff.worse.map((reason) => wrapped(printable(reason), WIDTH, '  '))].join('\n');
  const colour = diff.worse.length > 0 ? 'red' : 'green';
  return `${[sides.join('\n'), ...sections, paint(colour, verdict)].join('\n\n')}\n`;
}

function sectionText({ title, rows, most = rows.length }: Section, paint: Paint): string {
  const more = rows.length - most;
  return [
    paint('bold', `${title} (${rows.length})`),
    ...rows.slice(0, most).map((row) => rowText(row, paint)),
    ...(more > 0 ? [`  and ${more} more (all with --format json)`] : []),
  ].join('\n');
}

function rowText({ id, what, first, second, worse }: Row, paint: Paint): string {
  const head = wrapped(printable(what === undefined ? id : `${id}, ${what}`), WIDTH, '  ');
  return [worse ? paint('red', head) : head, labelled('first', first), labelled('second', second)].join('\n');
}

const labelled = (label: string, text: string, indent = '    '): string =>
  wrapped(`${label.padEnd(6)} ${printable(short(text))}`, WIDTH, indent);

const short = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (whole with --format json)`;
