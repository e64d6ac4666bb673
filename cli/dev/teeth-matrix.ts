/** Writes the kill matrix of `npm run teeth`: which deviation which rule's case turned red, as Markdown and JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deviation as deviationOf } from '../../mock/deviations/index.ts';
import type { Verdict } from '../../spec/verdicts.ts';

/** What one deviation came to. */
export interface Bite {
  readonly deviation: string;
  /** The rule that it breaks. */
  readonly rule: string;
  /** Of the rule's own case; `failed` is a kill. */
  readonly verdict: Verdict | 'no case';
  readonly reason: string;
  /** That the case took. */
  readonly milliseconds: number;
  /** Other rules whose cases it turned red, of those that were tried against it. */
  readonly alsoRed: readonly string[];
}

const FOLDER = path.join('reports', 'out');

/** Gives the file of the matrix. */
export function writeTeeth(bites: readonly Bite[], problems: readonly string[]): string {
  const sorted = bites.toSorted((a, b) => (a.deviation < b.deviation ? -1 : 1));
  mkdirSync(FOLDER, { recursive: true });
  const file = path.join(FOLDER, 'teeth.md');
  writeFileSync(file, markdown(sorted, problems));
  writeFileSync(path.join(FOLDER, 'teeth.json'), `${JSON.stringify({ problems, deviations: sorted }, null, 2)}\n`);
  return file;
}

function markdown(bites: readonly Bite[], problems: readonly string[]): string {
  const killed = bites.filter(({ verdict }) => verdict === 'failed').length;
  const rows = bites.map((bite) => `| ${[bite.rule, faultOf(bite), endOf(bite), ...rest(bite)].join(' | ')} |`);
  return [
    '# Teeth',
    '',
    `${killed} of ${bites.length} deviations killed by the case of the rule they break.`,
    '',
    ...problems.map((problem) => `- ${problem}`),
    ...(problems.length === 0 ? [] : ['']),
    '| rule | the mock | its own case | ms | also red |',
    '| --- | --- | --- | ---: | --- |',
    ...rows,
    '',
  ].join('\n');
}

const faultOf = ({ deviation }: Bite): string => deviationOf(deviation).what.replaceAll('|', '\\|');
const endOf = ({ verdict }: Bite): string => (verdict === 'failed' ? 'killed' : `**survived**: ${verdict}`);
const rest = ({ milliseconds, alsoRed }: Bite): string[] => [String(milliseconds), alsoRed.join(', ')];
