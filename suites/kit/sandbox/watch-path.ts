/** How the path of a watch is written: a deployment may resolve it differently from the path of a tree request (decision 051). */
import type { ObservedValue } from '../../../spec/observations/observation.ts';
import type { Run } from '../../engine/conforms.ts';
import { sharedValue } from '../../engine/shared-values.ts';
import { fieldsOf } from '../../json/fields.ts';
import type { Exchange } from '../../target/client.ts';
import { isSuccessful } from '../../target/eventually.ts';
import type { CallInput } from '../../target/request-types.ts';
import { headBeforeEvents, responseHead } from '../stream-head.ts';
import { ownDirectory } from './own-directory.ts';
import { putTree } from './tree.ts';

export type WatchPath = ObservedValue<'the path of a watch'>;

/** In the order in which they are tried. */
const paths: readonly WatchPath[] = ['as in tree requests', 'absolute', 'absolute, percent-encoded'];

interface Spelling {
  /** Undefined if each of them was refused. */
  readonly path: WatchPath | undefined;
  /** What absolute paths begin with, before the path of a tree request. */
  readonly root: string;
}

const spelling = sharedValue<Spelling>({ keepsErrors: false });

/** Statuses by which a server says that it finds no such directory. */
const NOT_FOUND: ReadonlySet<number> = new Set([400, 404, 422]);

/** The first one that is not refused for an existing directory. Undefined if all are. Tried once per run. */
export const watchPath = async (run: Run): Promise<WatchPath | undefined> =>
  (await spelling.get(run, () => findSpelling(run))).path;

/** The input of a watch of a directory, which is named as in tree requests. The response is text, or JSON for an error. */
export async function watchInput(run: Run, directory: string, query: Record<string, string> = {}): Promise<CallInput> {
  const { path = 'as in tree requests', root } = await spelling.get(run, () => findSpelling(run));
  return { ...spelled(directory, path, root), query, headers: { Accept: '*/*' } };
}

function spelled(directory: string, path: WatchPath, root: string): CallInput {
  return path === 'as in tree requests'
    ? { path: { path: directory } }
    : { path: { path: `${root}${directory}` }, encodesSlashes: path === 'absolute, percent-encoded' };
}

/** A run that only reads uses a directory that most systems have. */
const USUAL_DIRECTORY = 'tmp';

async function findSpelling(run: Run): Promise<Spelling> {
  const own = await ownDirectory(run);
  const canWrite = own.created !== undefined && isSuccessful(own.created);
  const directory = canWrite ? own.path : USUAL_DIRECTORY;
  const isRefused = async (input: CallInput): Promise<boolean> => {
    const watched = { ...input, headers: { Accept: '*/*' } };
    const head = canWrite
      ? await responseHead(run.client.open('watchDirectory', watched), () =>
          putTree(run, directory, { 'watched.txt': 'x' }),
        )
      : await headBeforeEvents(run.client, 'watchDirectory', watched);
    return head !== undefined && NOT_FOUND.has(head.response.status);
  };
  if (!(await isRefused({ path: { path: directory } }))) return { path: 'as in tree requests', root: '/' };
  const listed = canWrite ? own.created : await run.client.call('readTree', { path: { path: directory } });
  const root = rootOf(listed, directory);
  for (const path of paths.slice(1)) if (!(await isRefused(spelled(directory, path, root)))) return { path, root };
  return { path: undefined, root };
}

/** From the `path` of a listing, which ends with the path of the request, possibly with slashes after it. */
function rootOf({ response }: Exchange, directory: string): string {
  const listed = fieldsOf(response.json)?.['path'];
  const path = typeof listed === 'string' ? listed.replace(/\/+$/, '') : '';
  const root = path.endsWith(directory) ? path.slice(0, -directory.length) : '/';
  return root.startsWith('/') ? root : `/${root}`;
}
