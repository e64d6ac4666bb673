/** Observes which query parameter of a watch takes patterns of files that it does not report, and which patterns. */
import { IGNORE_PARAMETERS } from '../../spec/observations/observation-points.ts';
import { IGNORE_PATTERNS, type IgnorePattern } from '../../spec/observations/value-kind.ts';
import type { Run } from '../engine/conforms.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { fence, openWatch } from './watch.ts';
import type { Patience } from './watch.ts';
import { mentions } from './watch-lines.ts';

type Parameter = (typeof IGNORE_PARAMETERS)[number];

/** A pattern, and the file that it matches: each parameter has its own, so that a watch can have all of them. */
const examples: Readonly<Record<IgnorePattern, (number: number) => readonly [pattern: string, file: string]>> = {
  'exact name': (number) => [`exact${number}.txt`, `exact${number}.txt`],
  glob: (number) => [`*.glob${number}`, `a.glob${number}`],
  extension: (number) => [`.ext${number}`, `a.ext${number}`],
  prefix: (number) => [`pre${number}-`, `pre${number}-a.txt`],
  'part of a name': (number) => [`-mid${number}-`, `a-mid${number}-a.txt`],
};

const exampleOf = (name: Parameter, pattern: IgnorePattern) => examples[pattern](IGNORE_PARAMETERS.indexOf(name));

/** The exact name needs no knowledge of patterns, nor of lists: it is tried alone. */
const tries: readonly (readonly IgnorePattern[])[] = [['exact name'], IGNORE_PATTERNS.slice(1)];

export async function observeIgnored(run: Run, patience: Patience, directory: string): Promise<void> {
  const found = new Map<Parameter, IgnorePattern[]>();
  for (const patterns of tries) {
    const all = await ignored(run, patience, directory, IGNORE_PARAMETERS, patterns);
    // A server may refuse parameters that it does not know.
    const each = all === undefined ? await ignoredByEach(run, patience, directory, patterns) : all;
    for (const [name, some] of each) found.set(name, [...(found.get(name) ?? []), ...some]);
  }
  for (const [name, patterns] of found) run.observe(`a watch with ?${name}`, patterns);
}

type Ignored = readonly (readonly [name: Parameter, patterns: readonly IgnorePattern[]])[];

async function ignoredByEach(
  run: Run,
  patience: Patience,
  directory: string,
  patterns: readonly IgnorePattern[],
): Promise<Ignored> {
  const found: Ignored[] = [];
  for (const name of IGNORE_PARAMETERS) found.push((await ignored(run, patience, directory, [name], patterns)) ?? []);
  return found.flat();
}

/** Which of the patterns hide their file, by parameter. Undefined if the watch is refused. */
async function ignored(
  run: Run,
  patience: Patience,
  directory: string,
  parameters: readonly Parameter[],
  patterns: readonly IgnorePattern[],
): Promise<Ignored | undefined> {
  const valueOf = (name: Parameter) => patterns.map((pattern) => exampleOf(name, pattern)[0]).join(',');
  const query = Object.fromEntries(parameters.map((name) => [name, valueOf(name)]));
  const watch = await openWatch(run, directory, patience, query);
  try {
    if (!watch.isLive) return undefined;
    for (const pattern of patterns) {
      const files = parameters.map((name) => [exampleOf(name, pattern)[1], 'x']);
      await putTree(run, directory, Object.fromEntries(files));
    }
    await fence(run, watch);
    const isHidden = (file: string) => mentions(watch.text(), file) === 0;
    return parameters.map((name) => [name, patterns.filter((pattern) => isHidden(exampleOf(name, pattern)[1]))]);
  } finally {
    await watch.close();
  }
}
