/** Observes which query parameter of a watch takes patterns of files that it does not report, and which patterns. */
import { IGNORE_PARAMETERS } from '../../spec/observations/observation-points.ts';
import { IGNORE_PATTERNS, type IgnorePattern } from '../../spec/observations/value-kind.ts';
import type { Run } from '../engine/conforms.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { fence, openWatch } from './watch.ts';
import type { Patience } from './watch.ts';
import { mentions } from './watch-lines.ts';

type Parameter = (typeof IGNORE_PARAMETERS)[number];

/** A pattern, and the file that it matches. Each number has files of its own. */
const examples: Readonly<Record<IgnorePattern, (number: number) => readonly [pattern: string, file: string]>> = {
  'exact name': (number) => [`exact${number}.txt`, `exact${number}.txt`],
  glob: (number) => [`*.glob${number}`, `a.glob${number}`],
  extension: (number) => [`.ext${number}`, `a.ext${number}`],
  prefix: (number) => [`pre${number}-`, `pre${number}-a.txt`],
  'part of a name': (number) => [`-mid${number}-`, `a-mid${number}-a.txt`],
};

const EXACT_NAME: IgnorePattern = 'exact name';
const others = IGNORE_PATTERNS.filter((pattern) => pattern !== EXACT_NAME);

export async function observeIgnored(run: Run, patience: Patience, directory: string): Promise<void> {
  const watches = { run, patience, directory, count: 0 };
  // The exact name needs no knowledge of patterns, nor of lists: it is tried alone.
  const exact = await ignored(watches, IGNORE_PARAMETERS, [EXACT_NAME]);
  const listed = await ignored(watches, [...exact.keys()], others);
  // Where only the exact name is ignored, the list may not have been understood.
  const isUnclear = (name: Parameter): boolean => exact.get(name)?.length === 1 && !listed.get(name)?.length;
  const single = new Map<Parameter, readonly IgnorePattern[]>();
  let unclear = [...exact.keys()].filter(isUnclear);
  for (const pattern of others) {
    const found = await ignored(watches, unclear, [pattern]);
    unclear = unclear.filter((name) => found.has(name));
    for (const [name, patterns] of found) single.set(name, [...(single.get(name) ?? []), ...patterns]);
  }
  const furtherOf = (name: Parameter) => {
    if (!isUnclear(name)) return listed.get(name);
    return unclear.includes(name) ? single.get(name) : undefined;
  };
  for (const [name, patterns] of exact) {
    // A pattern whose watch is refused is unknown, and a mock that follows the value must not lose its own because of that.
    const further = furtherOf(name);
    if (further !== undefined) run.observe(`a watch with ?${name}`, [...patterns, ...further]);
  }
}

/** Where the files are written, and how many watches were opened so far: each has files that were not written before. */
interface Watches {
  readonly run: Run;
  readonly patience: Patience;
  readonly directory: string;
  count: number;
}

/** Which of the patterns hide their file. Without parameters with which each watch is refused. */
type Ignored = ReadonlyMap<Parameter, readonly IgnorePattern[]>;

/** With all parameters at once, or else with one after the other: a server may refuse those that it does not know. */
async function ignored(
  watches: Watches,
  parameters: readonly Parameter[],
  patterns: readonly IgnorePattern[],
): Promise<Ignored> {
  if (parameters.length === 0) return new Map();
  const all = await ignoredAtOnce(watches, parameters, patterns);
  if (all !== undefined || parameters.length === 1) return all ?? new Map();
  const found = new Map<Parameter, readonly IgnorePattern[]>();
  for (const name of parameters)
    for (const [, hidden] of (await ignoredAtOnce(watches, [name], patterns)) ?? []) found.set(name, hidden);
  return found;
}

/** Undefined if the watch is refused. */
async function ignoredAtOnce(
  watches: Watches,
  parameters: readonly Parameter[],
  patterns: readonly IgnorePattern[],
): Promise<Ignored | undefined> {
  const { run, patience, directory } = watches;
  const first = (watches.count += 1) * IGNORE_PARAMETERS.length;
  const exampleOf = (name: Parameter, pattern: IgnorePattern) =>
    examples[pattern](first + IGNORE_PARAMETERS.indexOf(name));
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
    return new Map(
      parameters.map((name) => [name, patterns.filter((pattern) => isHidden(exampleOf(name, pattern)[1]))]),
    );
  } finally {
    await watch.close();
  }
}
