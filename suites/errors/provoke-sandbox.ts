/** Provokes errors of the sandbox API, each with one mistake in the request. */
import type { OperationId } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { headBeforeEvents } from '../kit/stream-head.ts';
import { newDirectory } from '../kit/sandbox/own-directory.ts';
import { watchInput } from '../kit/sandbox/watch-path.ts';
import type { Client, Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { interleave } from './provocations.ts';
import type { Provocations } from './provocations.ts';

/** How to provoke an error in a directory of the run. Undefined if the response is not an error to check. */
type Provocation = readonly [name: string, send: (directory: string) => Promise<Exchange | undefined>];

const directoryOfErrors = sharedValue<string>();

/** Empty if the target has no sandbox. Writes go below the run's own directory. */
export function sandboxErrors(run: Run): Provocations {
  if (run.target.addresses.sandbox === undefined) return new Map();
  const writes = run.target.allow === 'read' ? [] : [inTheWay(run), badBodies(run), unreadableBodies(run)];
  const names = run.target.allow === 'read' ? [] : impossibleNames(run);
  const all = [...interleave(refusedCallers(run), [...missing(run), watchOfFile(run)], ...writes), ...names];
  return new Map(
    all.map(([name, send]) => [
      titleOf(name),
      async () => {
        const response = await send(await directoryOfErrors.get(run, () => newDirectory(run)));
        return response !== undefined && response.response.status >= 400 ? [response] : [];
      },
    ]),
  );
}

const titleOf = (name: string): string => `sandbox: ${name}`;

/**
 * Without the requests that are valid by the interface document and fail because of the files that exist or a limit of the
 * file system: the status of such an error is not documented, and many servers return 500.
 */
export function sandboxMistakes(run: Run): Provocations {
  const others = [...inTheWay(run), ...impossibleNames(run), watchOfFile(run)].map(([name]) => titleOf(name));
  return new Map([...sandboxErrors(run)].filter(([title]) => !others.includes(title)));
}

type SandboxCall = readonly [id: OperationId, inputIn: (directory: string) => CallInput];

function refusedCallers(run: Run): Provocation[] {
  const callers: readonly (readonly [string, Client])[] = [
    ['without a credential', run.as('none')],
    ['with an unknown credential', run.as({ token: 'assay-unknown-credential' })],
  ];
  const reads: SandboxCall[] = [
    ['listMultipartUploads', () => ({})],
    ['readTree', (path) => ({ path: { path } })],
  ];
  const writes: SandboxCall[] =
    run.target.allow === 'read'
      ? []
      : [['writeTree', (path) => ({ path: { path }, body: { files: { refused: '' } } })]];
  const calls = [...reads, ...writes];
  const refused = calls.flatMap(([id, inputIn]) =>
    callers.map(([who, as]): Provocation => [`${id} ${who}`, (directory) => as.call(id, inputIn(directory))]),
  );
  // A watch that is not refused never ends, so it is only tried if the sandbox refuses a read.
  const watches = callers.map(([who, as]): Provocation => [
    `watchDirectory ${who}`,
    async (directory) => {
      const { status } = (await as.call('readTree', { path: { path: directory } })).response;
      if (status !== 401 && status !== 403) return undefined;
      return as.call('watchDirectory', await watchInput(run, 'tmp'));
    },
  ]);
  return [...refused, ...watches];
}

const watchHead = async (run: Run, path: string): Promise<Exchange | undefined> =>
  headBeforeEvents(run.client, 'watchDirectory', await watchInput(run, path));

/** Whether these are errors is undocumented, so a success is not a mismatch. Neither is a watch that begins. */
function missing(run: Run): Provocation[] {
  return [
    [
      'readTree of a missing directory',
      (directory) => run.client.call('readTree', { path: { path: `${directory}/none/none` } }),
    ],
    ['watchDirectory of a missing directory', (directory) => watchHead(run, `${directory}/none/none`)],
  ];
}

/** May succeed, as with a missing directory. */
const watchOfFile = (run: Run): Provocation => [
  'watchDirectory of a file',
  async (directory) => watchHead(run, await fileIn(run, directory)),
];

const fileOfErrors = sharedValue<string>();

/** The path of a file, beside which is a directory named `below`. In a run that only reads, it does not exist. */
function fileIn(run: Run, directory: string): Promise<string> {
  return fileOfErrors.get(run, async () => {
    const body = { files: { 'file.txt': 'assay', 'below/file.txt': 'assay' } };
    if (run.target.allow !== 'read') await run.client.call('writeTree', { path: { path: directory }, body });
    return `${directory}/file.txt`;
  });
}

/** Requests that use a file as a directory and a directory as a file. */
function inTheWay(run: Run): Provocation[] {
  const write = async (directory: string, path: string, files: object): Promise<Exchange> => {
    await fileIn(run, directory);
    return run.client.call('writeTree', { path: { path }, body: { files } });
  };
  return [
    ['a write to the path of a file', (directory) => write(directory, `${directory}/file.txt`, { 'below.txt': '' })],
    ['a write of a file below a file', (directory) => write(directory, directory, { 'file.txt/below.txt': '' })],
    ['a write of a file at the path of a directory', (directory) => write(directory, directory, { below: '' })],
    [
      'readTree of a file',
      async (directory) => run.client.call('readTree', { path: { path: await fileIn(run, directory) } }),
    ],
  ];
}

/** Names that files of common systems cannot have. A target may write a file of another name instead. */
function impossibleNames({ client }: Run): Provocation[] {
  const names = { 'an empty name': '', 'a null character': 'a\0b', 'a name of 300 characters': 'n'.repeat(300) };
  return Object.entries(names).map(([what, name]) => [
    `a write of a file with ${what}`,
    (path) => client.call('writeTree', { path: { path }, body: { files: { [name]: 'assay' } } }),
  ]);
}

/** Statuses of a refused body. Without 413, because a gateway may send it. */
const UNREADABLE = new Set([400, 415, 422]);

/** Bodies that are not JSON, and JSON with another media type, which a target may accept. */
function unreadableBodies({ client }: Run): Provocation[] {
  const bodies = [
    ['application/json', '{"files":'],
    ['text/plain', '{"files": {"file": "assay"}}'],
    ['application/json', ''],
    ['application/xml', '<files/>'],
    ['application/json', 'files'],
  ] as const;
  return bodies.map(([type, body]) => [
    `a write of ${JSON.stringify(body)} as ${type}`,
    async (directory) => {
      const headers = { 'Content-Type': type, Accept: 'application/json' };
      const path = `/filesystem/tree/${directory}`;
      const exchange = await client.send({ surface: 'sandbox', method: 'PUT', path, headers, body });
      return UNREADABLE.has(exchange.response.status) ? exchange : undefined;
    },
  ]);
}

function badBodies({ client }: Run): Provocation[] {
  const bodies = [
    { files: { file: 1 } },
    {},
    [],
    { files: [] },
    { files: 'file' },
    { files: null },
    { files: { file: null } },
    'files',
  ];
  return bodies.map((body) => [
    `a write of ${JSON.stringify(body)}`,
    (path) => client.call('writeTree', { path: { path }, body }),
  ]);
}
