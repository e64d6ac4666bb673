/** Writes of a kind that is seldom, of which a watch tells as of any other. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, statusClass } from '../expect/status.ts';
import { unusualFileNames } from '../generators/file-name.ts';
import type { Exchange } from '../target/client.ts';
import type { Sent } from '../target/violation.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';
import { fence, goesLive, heardBy, openWatch } from './watch.ts';
import type { Patience, Watch } from './watch.ts';
import { freshFiles, needDirectories } from './watched-directories.ts';
import { writersOf } from './writers.ts';
import type { Writer } from './writers.ts';

/** A write of one file. */
interface SeldomWrite {
  readonly name: string;
  readonly send: (directory: string) => Promise<Exchange>;
  /** A refusal shows nothing. */
  readonly mayBeRefused?: boolean;
}

/** Far below the time after which gateways commonly end what is silent. */
const SILENCE_SECONDS = 5;

/** The longest one last. */
export async function seldomWritesAreTold(run: Run, patience: Patience): Promise<Mismatch[]> {
  const writers = await writersOf(run);
  const top = await newWritableDirectory(run);
  await needDirectories(run, top, ['a']);
  const watch = await openWatch(run, `${top}/a`, patience);
  try {
    const silent = await goesLive(watch);
    if (silent.length > 0) return silent;
    const before: Sent[] = [{ opens: watch.stream }];
    const writes = [...ofSeldomNames(run), ...emptying(run), ...writers.map(writeBy), afterSilence(run)];
    for (const each of writes) {
      const { written, found } = await isTold(watch, each);
      if (found.length > 0) return found.map((mismatch) => ({ ...mismatch, before }));
      before.push(written);
      if (each !== writes.at(-1)) await fence(run, watch);
    }
    return [];
  } finally {
    await watch.close();
  }
}

async function isTold(watch: Watch, { name, send, mayBeRefused = false }: SeldomWrite) {
  const { written, unheard } = await heardBy([watch], [name], () => send(watch.directory));
  const refused = mayBeRefused && isRefused(written) ? [] : statusClass(written, '2xx');
  return { written, found: [...refused, ...unheard] };
}

const ofSeldomNames = (run: Run): SeldomWrite[] =>
  unusualFileNames.map((name) => ({
    name,
    send: (directory) => putTree(run, directory, freshFiles([name])),
    mayBeRefused: true,
  }));

function emptying(run: Run): SeldomWrite[] {
  const name = 'emptied.txt';
  return [
    { name, send: (directory) => putTree(run, directory, freshFiles([name])) },
    { name, send: (directory) => putTree(run, directory, { [name]: '' }) },
  ];
}

/** Let in once is not let in for good. */
function writeBy({ client, way: { caller, header } }: Writer): SeldomWrite {
  const name = `by-${caller}-${header}.txt`;
  return { name, send: (directory) => putTree({ client }, directory, freshFiles([name])), mayBeRefused: true };
}

function afterSilence(run: Run): SeldomWrite {
  const name = `after-${SILENCE_SECONDS}-silent-seconds.txt`;
  return {
    name,
    send: async (directory) => {
      await wait(SILENCE_SECONDS * 1000);
      return putTree(run, directory, freshFiles([name]));
    },
  };
}
