/** For tests: a mock behind a door that tells of every request before it passes it on. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock } from '../../../mock/start-mock.ts';
import type { MockOptions, RunningMock } from '../../../mock/start-mock.ts';
import type { TargetFile } from '../../../spec/formats/target-file.ts';

export interface RecordedRequest {
  method: string;
  /** With the query. */
  url: string;
  /** Absent on the way in. */
  status?: number;
}

export interface RecordingMock extends AsyncDisposable {
  readonly mock: RunningMock;
  /** Every address of it leads through the door. */
  readonly target: TargetFile;
  /** Every request so far. */
  readonly seen: readonly RecordedRequest[];
  contents(): Promise<Contents>;
}

/**
 * What is in the world, a line for each resource and file: without timestamps, deployments and meters, without what is
 * being removed, and without images, which the service makes by itself and keeps until all unused ones are removed.
 */
export type Contents = ReadonlySet<string>;

/** What is there that was not, and what was there that is not. */
export function changesOf(before: Contents, after: Contents): { added: string[]; gone: string[] } {
  return { added: [...after.difference(before)], gone: [...before.difference(after)] };
}

interface Snapshot {
  resources: Record<
    string,
    { name: string; metadata: object; spec: object; deployments: readonly { course: string }[] }[]
  >;
  sandboxes: Record<string, { filesystem: { entries: Record<string, { content?: string }> } }>;
}

export async function startRecordingMock(
  /** Called before each request, which waits for the returned promise, and before each response. */
  tell: (passing: RecordedRequest) => void | Promise<void> = () => {},
  options: MockOptions = {},
  /** Returns the status of a request that must not reach the mock. */
  refuse: () => number | undefined = () => undefined,
): Promise<RecordingMock> {
  const mock = await startMock({ ...options, sandboxUrls: 'path' });
  const seen: RecordedRequest[] = [];
  const door = http.createServer(async (request, response) => {
    const passing = { method: request.method ?? '', url: request.url ?? '' };
    seen.push(passing);
    await tell(passing);
    const refusal = refuse();
    if (refusal !== undefined) return void response.writeHead(refusal).end();
    const { hostname, port } = new URL(mock.addresses.host);
    const onward = http.request({
      hostname,
      port,
      path: passing.url,
      method: passing.method,
      headers: request.headers,
      agent: false, // the mock may close an idle connection as a request is sent on it
    });
    request.pipe(onward).on('error', () => response.destroy());
    onward.on('response', (answer) => {
      void tell({ ...passing, status: answer.statusCode ?? 0 });
      response.writeHead(answer.statusCode ?? 0, answer.headers).flushHeaders(); // a stream may begin with silence
      answer.pipe(response).on('close', () => answer.destroy());
    });
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const inside = mock.addresses.host;
  const outside = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  return {
    mock,
    target: JSON.parse(JSON.stringify(mock.target).replaceAll(inside, outside)) as TargetFile,
    seen,
    contents: () => contents(`${inside}/_mock`),
    async [Symbol.asyncDispose]() {
      door.closeAllConnections();
      await new Promise<void>((resolve) => door.close(() => resolve()));
      await mock.close();
    },
  };
}

async function contents(control: string): Promise<Contents> {
  const { resources, sandboxes } = (await (await fetch(`${control}/snapshot`)).json()) as Snapshot;
  const lines = Object.entries(resources)
    .filter(([kind]) => !kind.endsWith('/images'))
    .flatMap(([kind, own]) =>
      own
        .filter(({ deployments }) => !deployments.some(({ course }) => course === 'delete'))
        .map(({ name, metadata, spec }) => JSON.stringify([kind, name, metadata, spec])),
    );
  const files = Object.entries(sandboxes).flatMap(([sandbox, { filesystem }]) =>
    Object.entries(filesystem.entries).map(([file, { content = '' }]) => JSON.stringify([sandbox, file, content])),
  );
  return new Set([...lines, ...files]);
}

/** From now on no agent can be created, so that a run that may write changes the named ones. */
export async function refuseAgents({ addresses: { host } }: RunningMock): Promise<void> {
  const rules = [{ operation: 'createAgent', every: 1, status: 405 }];
  const body = JSON.stringify({ rules });
  const headers = { 'content-type': 'application/json' };
  const { ok, status } = await fetch(`${host}/_mock/faults`, { method: 'PUT', headers, body });
  if (!ok) throw new Error(`The mock takes no faults (${status}).`);
}
