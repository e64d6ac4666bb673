/** Observes undocumented behavior of watches. */
import type { WhatOf } from '../../spec/observations/observation.ts';
import { IGNORE_PARAMETERS } from '../../spec/observations/observation-points.ts';
import { NO_RESPONSE } from '../../spec/observations/value-kind.ts';
import type { Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import type { Files } from '../generators/file-tree.ts';
import { headBeforeEvents } from '../kit/stream-head.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { fence, openWatch, patienceOf, watching } from './watch.ts';
import type { Patience, Watch } from './watch.ts';

/** A watch that is refused responds immediately. */
const HEAD_SECONDS = 2;

const watchedDirectory = sharedValue<string>();

export async function observeWatch(run: Run): Promise<void> {
  const top = await watchedDirectory.get(run, async () => {
    const path = await newWritableDirectory(run);
    await putTree(run, path, { 'f.txt': 'x', 'below/f.txt': 'x' });
    return path;
  });
  const patience = patienceOf(run);
  const observations: Readonly<Record<string, () => Promise<void>>> = {
    'an unknown directory': async () =>
      run.observe('a watch of an unknown directory', await headOf(run, `${top}/none`)),
    'a file': async () => run.observe('a watch of a file', await headOf(run, `${top}/f.txt`)),
    lines: () => observeLines(run, patience, top),
    ...Object.fromEntries(
      IGNORE_PARAMETERS.map((name) => [
        `?${name}`,
        async () => run.observe(`a watch with ?${name}=*.log`, await ignoring(run, patience, top, name)),
      ]),
    ),
  };
  const observe = async (name: string) => {
    await observations[name]!();
    return [];
  };
  await run.forEach(Object.keys(observations), observe, { sequential: true });
}

function observeLines(run: Run, patience: Patience, top: string): Promise<void> {
  return watched(run, patience, top, {}, async (watch) => {
    run.observe('the format of lines', pathFormat(watch));
    const files: [WhatOf<'sandbox.undocumented.answers'> & `a watch of ${string}file${string}`, string, Files][] = [
      ['a watch of a file of a subdirectory', 'below.txt', { 'below/below.txt': 'x' }],
      ['a watch of a new file without content', 'empty.txt', { 'empty.txt': '' }],
      ['a watch of a file written again with the same content', 'f.txt', { 'f.txt': 'x' }],
      ['a watch of a file whose name begins with a dot', '.hidden', { '.hidden': 'x' }],
    ];
    for (const [what, name, written] of files)
      run.observe(what, (await isReported(run, watch, name, written)) ? 'reported' : 'not reported');
  });
}

async function headOf({ client }: Run, path: string) {
  const head = await headBeforeEvents(client.open('watchDirectory', watching(path)), HEAD_SECONDS);
  return head === undefined ? NO_RESPONSE : { status: head.response.status };
}

/** Throws NotTried if the watch does not become live. */
async function watched(
  run: Run,
  patience: Patience,
  directory: string,
  query: Record<string, string>,
  look: (watch: Watch) => Promise<void>,
): Promise<void> {
  const watch = await openWatch(run, directory, patience, query);
  try {
    run.need(watch.isLive, 'a watch that reports files of its directory');
    await look(watch);
  } finally {
    await watch.close();
  }
}

async function isReported(run: Run, watch: Watch, name: string, files: Files): Promise<boolean> {
  await fence(run, watch);
  const before = mentions(watch, name);
  await putTree(run, watch.directory, files);
  await fence(run, watch);
  return mentions(watch, name) > before;
}

const mentions = (watch: Watch, name: string): number =>
  watch
    .text()
    .split('\n')
    .filter((line) => line.trim() === name || line.trim().endsWith(`/${name}`)).length;

/** The format of the first line, which is the path of a file written while the watch was opened. */
function pathFormat(watch: Watch) {
  const [line = ''] = watch.text().split(/\r?\n/);
  if (line.startsWith('/')) return 'absolute paths';
  return line.includes('/') ? 'relative paths' : 'names';
}

async function ignoring(run: Run, patience: Patience, directory: string, name: string) {
  let reported = false;
  await watched(run, patience, directory, { [name]: '*.log' }, async (watch) => {
    reported = await isReported(run, watch, `${name}.log`, { [`${name}.log`]: 'x' });
  });
  return reported ? 'matching files reported' : 'matching files not reported';
}
