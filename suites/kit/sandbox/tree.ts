/** Writes files to a sandbox, keeps a model of accepted writes, and lists directories. */
import type { Mismatch, Run } from '../../engine/conforms.ts';
import { NotTried } from '../../engine/conforms.ts';
import { sharedValue, sharedValues } from '../../engine/shared-values.ts';
import type { Files } from '../../generators/file-tree.ts';
import { joinPath } from '../../generators/file-tree.ts';
import { isRefused, statusClass } from '../../expect/status.ts';
import type { Client, Exchange } from '../../target/client.ts';
import { isAwake, isSuccessful, pollUntilTimeout } from '../../target/eventually.ts';
import type { Judge, TreeModel } from './listing.ts';

/** By rule. */
const polls = sharedValues<ReturnType<typeof pollUntilTimeout<Exchange>>>();

/** The path of the first write of the run that was accepted, and the number of control writes next to it. */
const firstAccepted = sharedValue<{ path?: string; controls: number }>();

/**
 * Repeats the write while the sandbox wakes (decision 023). After the first timeout of a case, sends each write only once. Throws
 * NotTried if the sandbox refuses it and every other write, although it has accepted one before: its disk may be full.
 */
export async function putTree(
  run: Pick<Run, 'client' | 'patienceSeconds' | 'rule' | 'shared'>,
  path: string,
  files: Files,
  client: Client = run.client,
): Promise<Exchange> {
  const whenAwake = await polls.get(run, run.rule.id, async () => pollUntilTimeout(isAwake, run.patienceSeconds));
  const exchange = await whenAwake(() => client.call('writeTree', { path: { path }, body: { files } }));
  const first = await firstAccepted.get(run, async () => ({ controls: 0 }));
  if (isSuccessful(exchange)) first.path ??= path;
  if (!isLimit(exchange) || first.path === undefined || Object.keys(files).length > FEW) return exchange;
  // Always a new file: a sandbox may refuse every update of a file, which is judged.
  const control = { [`control-${(first.controls += 1)}.txt`]: 'x' };
  const other = { path: { path: `${first.path}-other` }, body: { files: control } };
  if (isLimit(await run.client.call('writeTree', other))) throw new NotTried(describeMissingWrite(exchange));
  return exchange;
}

/** What a sandbox lacks that refuses every write: space only if the response says so. */
function describeMissingWrite({ response: { status, text } }: Exchange): string {
  const isFull = status === 413 || status === 507 || /\b(quota|space|disk|storage)\b|\b(ENOSPC|EDQUOT)\b/i.test(text);
  return `${isFull ? 'space for more files in the sandbox' : 'a sandbox that still accepts tree writes'} (status ${status})`;
}

/** A sandbox may report a full disk, or a read-only one, with any of these. */
export const isLimit = (exchange: Exchange): boolean => isRefused(exchange) || exchange.response.status === 507;

/** The number of files that every server must accept in one write. The limit beyond it and its status are undocumented. */
const FEW = 10;

/** Whether a write was refused because of an undocumented limit. */
export const mayBeTooMany = (exchange: Exchange, count: number): boolean => count > FEW && isLimit(exchange);

export function remember(model: TreeModel, files: Files, below = ''): void {
  for (const [path, content] of Object.entries(files)) model.set(joinPath(below, path), content);
}

/** Written to a directory to get its listing. */
const LISTING_FILE: Files = { 'looked-at.txt': 'x' };

/** Writes one more small file to a directory and adds it to the model. The response lists the directory. */
export async function listByWriting(run: Run, top: string, model: TreeModel, directory: string): Promise<Exchange> {
  remember(model, LISTING_FILE, directory);
  return putTree(run, joinPath(top, directory), LISTING_FILE);
}

/** Every directory that the files need, the top one first, which is the empty path. */
export function directoriesOf(model: TreeModel): string[] {
  const found = new Set(['']);
  for (const path of model.keys())
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.add(path.slice(0, at));
  return [...found];
}

/** Lists and checks every directory of the model, except one whose listing is known. */
export async function inEveryDirectory(
  run: Run,
  top: string,
  model: TreeModel,
  judges: readonly Judge[],
  known?: string,
): Promise<Mismatch[]> {
  const found: Mismatch[] = [];
  for (const directory of directoriesOf(model).filter((each) => each !== known)) {
    const exchange = await listByWriting(run, top, model, directory);
    found.push(...statusClass(exchange, '2xx'), ...judges.flatMap((judge) => judge(exchange, model, directory)));
  }
  return found;
}

/** Writes files below a directory of the model and adds them to the model. */
export async function write(run: Run, top: string, model: TreeModel, files: Files, at = ''): Promise<Exchange> {
  remember(model, files, at);
  return putTree(run, joinPath(top, at), files);
}
