/** Writes the kill matrix of `npm run teeth`: which deviation which rule's case turned red, as Markdown and JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deviation as deviationOf } from '../../mock/deviations/index.ts';
import { isKilled } from './teeth-verdict.ts';
import type { Bite } from './teeth-verdict.ts';

const FOLDER = path.join('reports', 'out');

/** Writes the matrix and returns its path. `choice` follows the score. */
export function writeTeeth(bites: readonly Bite[], problems: readonly string[], choice: string): string {
  const sorted = bites.toSorted((a, b) => (a.deviation < b.deviation ? -1 : 1));
  mkdirSync(FOLDER, { recursive: true });
  const file = path.join(FOLDER, 'teeth.md');
  writeFileSync(file, markdown(sorted, problems, choice));
  const data = { score: scoreOf(bites, choice), problems, deviations: sorted };
  writeFileSync(path.join(FOLDER, 'teeth.json'), `${JSON.stringify(data, null, 2)}\n`);
  return file;
}

export function markdown(bites: readonly Bite[], problems: readonly string[], choice: string): string {
  const areOthersTried = bites.some(({ alsoRed }) => alsoRed !== undefined);
  const rows = bites.map((bite) => `| ${[bite.deviation, faultOf(bite), endOf(bite), ...rest(bite)].join(' | ')} |`);
  return [
    '# Teeth',
    '',
    `${scoreOf(bites, choice).replaceAll('*', '\\*')}${areOthersTried ? '' : ` ${OWN_ONLY}`}`,
    '',
    ...problems.map((problem) => `- ${problem}`),
    ...(problems.length === 0 ? [] : ['']),
    '| deviation | the mock | its own case | ms | also red |',
    '| --- | --- | --- | ---: | --- |',
    ...rows,
    '',
  ].join('\n');
}

const scoreOf = (bites: readonly Bite[], choice: string): string =>
  `${bites.filter(isKilled).length} of ${bites.length} deviations killed by the case of the rule they break${choice}.`;
const faultOf = ({ deviation }: Bite): string => deviationOf(deviation).what.replaceAll('|', '\\|');
const OWN_ONLY = 'Against each only that case was tried; `npm run teeth -- --all-rules` tries all of them.';
const endOf = (bite: Bite): string => (isKilled(bite) ? 'killed' : `**survived**: ${bite.verdict}`);
const rest = ({ milliseconds, alsoRed }: Bite): string[] => [String(milliseconds), alsoRed?.join(', ') ?? 'not tried'];
