/** Writes the kill matrix of `npm run teeth`: the deviations and the rules whose cases failed, as Markdown and JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deviation as deviationOf } from '../../mock/deviations/index.ts';
import { REPORTS_FOLDER } from '../command-line/reports-folder.ts';
import { isKilled } from './teeth-verdict.ts';
import type { TeethResult } from './teeth-verdict.ts';

/** Writes the matrix and returns its path. `selection` follows the score. */
export function writeTeeth(results: readonly TeethResult[], problems: readonly string[], selection: string): string {
  const sorted = results.toSorted((a, b) => (a.deviation < b.deviation ? -1 : 1));
  mkdirSync(REPORTS_FOLDER, { recursive: true });
  const file = path.join(REPORTS_FOLDER, 'teeth.md');
  writeFileSync(file, markdown(sorted, problems, selection));
  const data = { score: scoreOf(results, selection), problems, deviations: sorted };
  writeFileSync(path.join(REPORTS_FOLDER, 'teeth.json'), `${JSON.stringify(data, null, 2)}\n`);
  return file;
}

export function markdown(results: readonly TeethResult[], problems: readonly string[], selection: string): string {
  const didOthersRun = results.some(({ alsoRed }) => alsoRed !== undefined);
  const rows = results.map(
    (result) =>
      `| ${[result.deviation, descriptionOf(result), outcomeOf(result), ...remainingCells(result)].join(' | ')} |`,
  );
  return [
    '# Teeth',
    '',
    `${scoreOf(results, selection).replaceAll('*', '\\*')}${didOthersRun ? '' : ` ${OWN_ONLY}`}`,
    '',
    ...problems.map((problem) => `- ${problem}`),
    ...(problems.length === 0 ? [] : ['']),
    '| deviation | the mock | its own case | ms | also red |',
    '| --- | --- | --- | ---: | --- |',
    ...rows,
    '',
  ].join('\n');
}

const scoreOf = (results: readonly TeethResult[], selection: string): string =>
  `${results.filter(isKilled).length} of ${results.length} deviations killed by the case of the rule they break${selection}.`;
const descriptionOf = ({ deviation }: TeethResult): string => deviationOf(deviation).what.replaceAll('|', '\\|');
const OWN_ONLY = 'Only that case ran against each deviation; `npm run teeth -- --all-rules` runs all of them.';
const outcomeOf = (result: TeethResult): string => (isKilled(result) ? 'killed' : `**survived**: ${result.verdict}`);
const remainingCells = ({ milliseconds, alsoRed }: TeethResult): string[] => [
  String(milliseconds),
  alsoRed?.join(', ') ?? 'not tried',
];
