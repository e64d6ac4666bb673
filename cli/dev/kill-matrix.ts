/** The published score of `npm run teeth -- --publish`: docs/kill-matrix.md and its badge. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { deviation, deviationIds } from '../../mock/deviations/index.ts';
import { cells, type Cell } from '../../spec/fields/cells.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import { undetectedDefects } from '../../spec/fields/undetected-defects.ts';
import { markdownTable } from './docs/markdown-table.ts';
import { describeSurvivor, isKilled, type TeethResult } from './teeth-verdict.ts';

const root = path.join(import.meta.dirname, '../..');
export const KILL_MATRIX_FILE = 'docs/kill-matrix.md';
export const BADGE_FILE = 'docs/images/kill-score.svg';

/** Changes with the rules, the deviations and the excuses, so that a published page cannot outlive them. */
export function catalogueHash(): string {
  const rules = (requirements as readonly Requirement[]).map(({ id, level, rule, values }) => [
    id,
    level,
    rule,
    values,
  ]);
  const deviationRows = deviationIds.toSorted().map((id) => {
    const { what, effect, condition } = deviation(id);
    return [id, what, effect, condition];
  });
  return createHash('sha256')
    .update(JSON.stringify([rules, deviationRows, fieldSummary(), excuseTable()]))
    .digest('hex');
}

/** `results` of every deviation. */
export function publish(results: readonly TeethResult[]): void {
  const page = path.join(root, KILL_MATRIX_FILE);
  writeFileSync(page, killMatrix(results));
  writeFileSync(path.join(root, BADGE_FILE), badge(results));
  execFileSync(path.join(root, 'node_modules/.bin/oxfmt'), [page]);
}

/** Without times, so that the same outcome gives the same page. */
export function killMatrix(results: readonly TeethResult[]): string {
  return [
    '# Kill matrix',
    `Written by \`npm run teeth -- --publish\`, which starts the mock once with each of its deviations and runs the case of the rule that the deviation breaks. A deviation is killed if that case fails.`,
    `**${killedCount(results)} of ${results.length} deviations killed.**`,
    `Rules, deviations and excuses: \`${catalogueHash()}\` (SHA-256).`,
    '## By area',
    areaTable(results),
    '## Survivors',
    survivorList(results),
    '## Response fields',
    fieldSummary(),
    excuseTable(),
    '',
  ].join('\n\n');
}

const killedCount = (results: readonly TeethResult[]): number => results.filter(isKilled).length;
const areaOf = (rule: string): string => rule.split('.', 1)[0] ?? '';

function areaTable(results: readonly TeethResult[]): string {
  const areas = [...Map.groupBy(results, ({ rule }) => areaOf(rule))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const row = (name: string, areaResults: readonly TeethResult[]): string[] => [
    name,
    String(new Set(areaResults.map(({ rule }) => rule)).size),
    String(areaResults.length),
    String(killedCount(areaResults)),
    describeShare(areaResults),
  ];
  return markdownTable(
    ['area', 'must rules', 'deviations', 'killed', 'share'],
    [...areas.map(([area, own]) => row(area, own)), row('all', results)],
  );
}

/** Rounded down, so that 100 % means all of them. */
const describeShare = (results: readonly TeethResult[]): string =>
  `${Math.floor((1000 * killedCount(results)) / results.length) / 10} %`;

function survivorList(results: readonly TeethResult[]): string {
  const survivors = results.filter((result) => !isKilled(result));
  return survivors.length === 0 ? 'None.' : survivors.map((result) => `- ${describeSurvivor(result)}`).join('\n');
}

function fieldSummary(): string {
  const count = (isCounted: (cell: Cell) => boolean): number => cells.filter(isCounted).length;
  return [
    `Each field of each documented response is paired with the ways in which servers get such a field wrong: ${cells.length} pairs.`,
    `- ${count(({ rules }) => rules.length > 0)} are detected by a rule; each is one of the deviations above.`,
    `- ${count(({ isInvisible }) => isInvisible)} leave every value of the mock as it is (such as lower case in a text without capitals), so no deviation can be made of them.`,
    `- ${count(({ silence }) => silence !== undefined)} survive; the excuses are:`,
  ].join('\n\n');
}

const excuseTable = (): string =>
  markdownTable(
    ['excuse', 'pairs'],
    undetectedDefects.map((silence) => [silence.why, String(cells.filter((cell) => cell.silence === silence).length)]),
  );

const LABEL_WIDTH = 108;
const CHARACTER_WIDTH = 7;

/** An SVG in the usual form of badges. */
export function badge(results: readonly TeethResult[]): string {
  const isComplete = killedCount(results) === results.length;
  const score = `${killedCount(results)} / ${results.length}`;
  const width = LABEL_WIDTH + score.length * CHARACTER_WIDTH + 10;
  const middle = (from: number, to: number): number => (from + to) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="deviations killed: ${score}">
<rect width="${width}" height="20" rx="3" fill="#555"/>
<path d="M${LABEL_WIDTH} 0h${width - LABEL_WIDTH - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${LABEL_WIDTH}z" fill="${isComplete ? '#2e7d32' : '#b71c1c'}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,sans-serif" font-size="11">
<text x="${middle(0, LABEL_WIDTH)}" y="14">deviations killed</text>
<text x="${middle(LABEL_WIDTH, width)}" y="14">${score}</text>
</g>
</svg>
`;
}
