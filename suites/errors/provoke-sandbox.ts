/** Provokes errors of the sandbox API, each with one mistake in the request. */
import type { OperationId } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { headBeforeEvents } from '../kit/stream-head.ts';
import { newDirectory } from '../kit/sandbox/own-directory.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';

type SandboxCall = readonly [OperationId, CallInput];

/** Empty if the target has no sandbox. Writes go below the run's own directory. */
export async function sandboxErrors(run: Run): Promise<Exchange[]> {
  if (run.target.addresses.sandbox === undefined) return [];
  const directory = await newDirectory(run);
  const responses = await refusedCallers(run, directory);
  const calls = [
    ...missing(directory),
    ...(run.target.allow === 'read' ? [] : await inTheWay(run, directory)),
    ...badBodies(run, directory),
  ];
  for (const [id, input] of calls) responses.push(await run.client.call(id, input));
  responses.push(...(await unreadableBodies(run, directory)));
  // Watching a missing directory may be allowed: a watch that begins is not an error response.
  for (const path of [`${directory}/none/none`, `${directory}/file`]) {
    const head = await headBeforeEvents(run.client.open('watchDirectory', { path: { path } }));
    if (head !== undefined) responses.push(head);
  }
  return responses.filter(({ response }) => response.status >= 400);
}

async function refusedCallers(run: Run, path: string): Promise<Exchange[]> {
  const callers = [run.as('none'), run.as({ token: 'assay-unknown-credential' })];
  const reads: SandboxCall[] = [
    ['listMultipartUploads', {}],
    ['readTree', { path: { path } }],
  ];
  const writes: SandboxCall[] =
    run.target.allow === 'read' ? [] : [['writeTree', { path: { path }, body: { files: { refused: '' } } }]];
  const responses: Exchange[] = [];
  for (const as of callers) for (const [id, input] of [...reads, ...writes]) responses.push(await as.call(id, input));
  // A watch that is not refused never ends, so it is only tried if the sandbox refuses everything else.
  const closed = responses.every(({ response }) => response.status === 401 || response.status === 403);
  if (closed) for (const as of callers) responses.push(await as.call('watchDirectory', { path: { path: 'tmp' } }));
  return responses;
}

/** Requests for missing directories. Whether they are errors is undocumented, so a success is not a mismatch. */
function missing(directory: string): SandboxCall[] {
  return [['readTree', { path: { path: `${directory}/none/none` } }]];
}

/** Requests that use a file as a directory and a directory as a file. */
async function inTheWay(run: Run, directory: string): Promise<SandboxCall[]> {
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

/** Statuses of a refused body. Without 413, because a gateway may send it. */
const UNREADABLE = new Set([400, 415, 422]);

/** Bodies that are not JSON, and JSON with another media type, which a target may accept. */
async function unreadableBodies({ client, target }: Run, directory: string): Promise<Exchange[]> {
  if (target.allow === 'read') return [];
  const bodies = [
    ['application/json', '{"files":'],
    ['application/json', 'files'],
    ['application/json', ''],
    ['text/plain', '{"files": {"file": "assay"}}'],
    ['application/xml', '<files/>'],
  ] as const;
  const responses: Exchange[] = [];
  for (const [type, body] of bodies) {
    const headers = { 'Content-Type': type, Accept: 'application/json' };
    const path = `/filesystem/tree/${directory}`;
    responses.push(await client.send({ surface: 'sandbox', method: 'PUT', path, headers, body }));
  }
  return responses.filter(({ response }) => UNREADABLE.has(response.status));
}

function badBodies({ target }: Run, path: string): SandboxCall[] {
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
