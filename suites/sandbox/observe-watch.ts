/** Observes undocumented behavior of watches. */
import type { ObservedValue, WhatOf } from '../../spec/observations/observation.ts';
import { NO_RESPONSE, type LineMember } from '../../spec/observations/value-kind.ts';
import type { Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import type { Files } from '../generators/file-tree.ts';
import { fieldsOf } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import { respondsWithin } from '../kit/resolves-within.ts';
import { headBeforeEvents } from '../kit/stream-head.ts';
import { createFlight } from '../target/flight.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { watchInput, watchPath } from '../kit/sandbox/watch-path.ts';
import { observeIgnored } from './ignored-files.ts';
import { fence, firstWatch, needReports, openStream, openWatch, patienceOf, WATCH_LIMIT_STATUSES } from './watch.ts';
import type { Patience, Watch } from './watch.ts';
import { mentions, names } from './watch-lines.ts';

/** A watch that is refused responds immediately. */
const HEAD_SECONDS = 2;

const watchedDirectory = sharedValue<string>();

export async function observeWatch(run: Run): Promise<void> {
  const top = await watchedDirectory.get(run, async () => {
    const path = await newWritableDirectory(run);
    await putTree(run, path, { 'f.txt': 'x', 'below/f.txt': 'x' });
    return path;
  });
  const path = await watchPath(run);
  if (path !== undefined) run.observe('the path of a watch', path);
  const patience = patienceOf(run);
  const observations: Readonly<Record<string, () => Promise<void>>> = {
    'an unknown directory': async () =>
      run.observe('a watch of an unknown directory', await headOf(run, `${top}/none`)),
    'a file': async () => run.observe('a watch of a file', await headOf(run, `${top}/f.txt`)),
    lines: () => observeLines(run, patience, top),
    depth: async () => {
      const depth = await depthOf(run, patience, top);
      if (depth !== undefined) run.observe('a watch of a path that ends in /**', depth);
    },
    patterns: () => observeIgnored(run, patience, top),
  };
  const observe = async (name: string) => {
    await observations[name]!();
    return [];
  };
  await run.forEach(Object.keys(observations), observe, { sequential: true });
}

async function observeLines(run: Run, patience: Patience, top: string): Promise<void> {
  const { opened, name } = await firstWatch(run);
  await needReports(run);
  const reported = opened.response.text.split(/\r?\n/).find((line) => names(line, name)) ?? '';
  run.observe('the format of lines', lineFormat(reported, name));
  const watch = await openWatch(run, top, patience);
  try {
    run.need(watch.isLive, 'a watch that reports files of its directory');
    const files: [WhatOf<'sandbox.undocumented.answers'> & `a watch of ${string}file${string}`, string, Files][] = [
      ['a watch of a file of a subdirectory', 'below.txt', { 'below/below.txt': 'x' }],
      ['a watch of a new file without content', 'empty.txt', { 'empty.txt': '' }],
      ['a watch of a file written again with the same content', 'f.txt', { 'f.txt': 'x' }],
      ['a watch of a file whose name begins with a dot', '.hidden', { '.hidden': 'x' }],
    ];
    for (const [what, file, written] of files)
      run.observe(what, (await isReported(run, watch, file, written)) ? 'reported' : 'not reported');
  } finally {
    await watch.close();
  }
}

async function headOf(run: Run, path: string) {
  const head = await headBeforeEvents(run.client, 'watchDirectory', await watchInput(run, path), HEAD_SECONDS);
  return head === undefined ? NO_RESPONSE : { status: head.response.status };
}

async function isReported(run: Run, watch: Watch, name: string, files: Files): Promise<boolean> {
  await fence(run, watch);
  const before = mentions(watch.text(), name);
  await putTree(run, watch.directory, files);
  await fence(run, watch);
  return mentions(watch.text(), name) > before;
}

/** The format of a line that reports the file. */
function lineFormat(line: string, name: string): ObservedValue<'the format of lines'> {
  const object = fieldsOf(jsonIn(line));
  if (object !== undefined)
    return {
      members: Object.fromEntries(Object.entries(object).map(([member, value]) => [member, memberOf(value, name)])),
    };
  if (line === name) return 'names';
  if (!line.endsWith(`/${name}`)) return 'another format';
  return line.startsWith('/') ? 'absolute paths' : 'relative paths';
}

function memberOf(value: unknown, name: string): LineMember {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value === name) return 'name';
  if (typeof value !== 'string') return typeof value as LineMember;
  if (value.endsWith(`/${name}`)) return 'path';
  return value.includes('/') ? 'directory' : 'string';
}

/** Whether a path that ends in two asterisks means all subdirectories, as in a glob. Undefined if there are too many watches. */
async function depthOf(
  run: Run,
  patience: Patience,
  top: string,
): Promise<ObservedValue<'a watch of a path that ends in /**'> | undefined> {
  await needReports(run);
  const flight = createFlight();
  const opening = openStream(run, `${top}/**`, {}, { flight });
  opening.catch(() => {}); // awaited below
  try {
    const control = await openWatch(run, top, patience);
    await putTree(run, top, { 'not-deep.txt': 'x', 'below/deep.txt': 'x' });
    await fence(run, control).finally(() => control.close());
    if (!(await respondsWithin(opening, flight, HEAD_SECONDS))) return 'nothing is reported';
    const stream = await opening;
    if (WATCH_LIMIT_STATUSES.has(stream.status)) return undefined;
    if (stream.status >= 300) return { status: stream.status };
    const isIn = (name: string) => mentions(stream.text(), name) > 0;
    if (await stream.until(() => isIn('deep.txt'), HEAD_SECONDS)) return 'with subdirectories';
    return isIn('not-deep.txt') ? 'without subdirectories' : 'nothing is reported';
  } finally {
    void opening.then((stream) => stream.close()).catch(() => {}); // its error is already thrown
  }
}
