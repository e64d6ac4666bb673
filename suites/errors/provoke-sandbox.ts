/** Provokes errors of the sandbox API, one fault a request. */
import type { OperationId } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { headBeforeEvents } from '../kit/stream-head.ts';
import { newDirectory } from '../kit/sandbox/own-directory.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';

type Ask = readonly [OperationId, CallInput];

/** None where the target has no sandbox. What is written goes below the run's own directory. */
export async function sandboxErrors(run: Run): Promise<Exchange[]> {
  if (run.target.addresses.sandbox === undefined) return [];
  const directory = await newDirectory(run);
  const answers = await refusedCallers(run, directory);
  const asks = [
    ...missing(directory),
    ...(run.target.allow === 'read' ? [] : await inTheWay(run, directory)),
    ...badBodies(run, directory),
  ];
  for (const [id, input] of asks) answers.push(await run.client.call(id, input));
  answers.push(...(await unreadableBodies(run, directory)));
  // Whether there is anything to watch is not documented: a watch that begins is no error answer.
  for (const path of [`${directory}/none/none`, `${directory}/file`]) {
    const head = await headBeforeEvents(run.client.open('watchDirectory', { path: { path } }));
    if (head !== undefined) answers.push(head);
  }
  return answers.filter(({ response }) => response.status >= 400);
}

async function refusedCallers(run: Run, path: string): Promise<Exchange[]> {
  const callers = [run.as('none'), run.as({ token: 'assay-unknown-credential' })];
  const reads: Ask[] = [
    ['listMultipartUploads', {}],
    ['readTree', { path: { path } }],
  ];
  const writes: Ask[] =
    run.target.allow === 'read' ? [] : [['writeTree', { path: { path }, body: { files: { refused: '' } } }]];
  const answers: Exchange[] = [];
  for (const as of callers) for (const [id, input] of [...reads, ...writes]) answers.push(await as.call(id, input));
  // A watch that is not refused never ends: it is asked only of a sandbox that refuses everything else.
  const closed = answers.every(({ response }) => response.status === 401 || response.status === 403);
  if (closed) for (const as of callers) answers.push(await as.call('watchDirectory', { path: { path: 'tmp' } }));
  return answers;
}

/** Whether a directory that is not there is an error is not documented: a success is no error answer. */
function missing(directory: string): Ask[] {
  return [['readTree', { path: { path: `${directory}/none/none` } }]];
}

/** A file where a directory is needed, and the other way round. */
async function inTheWay(run: Run, directory: string): Promise<Ask[]> {
  await run.client.call('writeTree', {
    path: { path: directory },
    body: { files: { file: 'assay', 'below/file': 'assay' } },
  });
  return [
    ['writeTree', { path: { path: `${directory}/file` }, body: { files: { below: '' } } }],
    ['writeTree', { path: { path: directory }, body: { files: { 'file/below': '' } } }],
    ['writeTree', { path: { path: directory }, body: { files: { below: '' } } }],
    ['readTree', { path: { path: `${directory}/file` } }],
  ];
}

/** For the form of the body. 413 is none of them: it may be the answer of a gateway. */
const UNREADABLE = new Set([400, 415, 422]);

/** No JSON, and JSON that is called something else, which a target may read all the same. */
async function unreadableBodies({ client, target }: Run, directory: string): Promise<Exchange[]> {
  if (target.allow === 'read') return [];
  const bodies = [
    ['application/json', '{"files":'],
    ['application/json', 'files'],
    ['application/json', ''],
    ['text/plain', '{"files": {"file": "assay"}}'],
    ['application/xml', '<files/>'],
  ] as const;
  const answers: Exchange[] = [];
  for (const [type, body] of bodies) {
    const headers = { 'Content-Type': type, Accept: 'application/json' };
    const path = `/filesystem/tree/${directory}`;
    answers.push(await client.send({ surface: 'sandbox', method: 'PUT', path, headers, body }));
  }
  return answers.filter(({ response }) => UNREADABLE.has(response.status));
}

function badBodies({ target }: Run, path: string): Ask[] {
  if (target.allow === 'read') return [];
  const bodies = [
    [],
    'files',
    {},
    { files: [] },
    { files: 'file' },
    { files: null },
    { files: { file: 1 } },
    { files: { file: null } },
  ];
  return bodies.map((body) => ['writeTree', { path: { path }, body }]);
}
