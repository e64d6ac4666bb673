/** `assay mock --upstream URL --prefer upstream`, as docs/implementing.md starts it: the server answers what it has. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { assay } from './testing/assay-process.ts';
import { codeBlocks, markdownPages, projectRoot } from './testing/markdown-pages.ts';
import { freePort } from '../../mock/testing/free-port.ts';

const page = markdownPages().find(({ file }) => file === 'docs/implementing.md')!;
const [command = ''] = /^npx --no assay mock .*--prefer upstream$/m.exec(codeBlocks(page, 'bash').join('\n')) ?? [];

async function stop(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null) await once(child, 'close');
}

/** The documented command with this port of the server in place of 3000. */
async function mockInFrontOf(port: number) {
  expect(command).toContain(':3000');
  const words = command.replace('npx --no assay ', '').replace(':3000', `:${port}`).split(' ');
  const flags = ['--port', '0', '--json', '--quiet', '--sandbox-urls', 'path'];
  const child = spawn(process.execPath, [assay, ...words, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { target } = JSON.parse(line) as { target: TargetFile };
  const { admin } = target.credentials as { admin: { value: string } };
  /** `at`: a surface and a path. */
  const send = async (method: string, at: readonly [keyof TargetFile['addresses'], string], body?: object) => {
    const response = await fetch(`${target.addresses[at[0]]}${at[1]}`, {
      method,
      headers: { authorization: `Bearer ${admin.value}`, 'content-type': 'application/json', accept: '*/*' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  return { token: admin.value, send, [Symbol.asyncDispose]: () => stop(child) };
}

/** What only the mock has. */
const window = 'startTime=2026-11-01T00:00:00Z&endTime=2026-11-02T00:00:00Z';
const others = [
  ['GET', ['management', `/accounts/acc-demo/metrics?${window}`]],
  ['GET', ['management', '/agents/demo-agent']],
  ['POST', ['inference', '/demo/models/demo-model'], { inputs: 'hello' }],
  ['GET', ['sandbox', '/filesystem/tree/']],
] as const;

test('the server of the page answers GET /accounts, and the mock all other operations', async () => {
  const port = await freePort();
  await using mock = await mockInFrontOf(port);
  expect(await mock.send('GET', ['management', '/accounts'])).toMatchObject({ status: 502 });
  const template = path.join(projectRoot, 'fixtures/templates/hono.ts');
  const env = { ...process.env, SVC_ADMIN_TOKEN: mock.token, PORT: String(port) };
  const server = spawn(process.execPath, [template], { env, stdio: 'ignore' });
  try {
    const accounts = () => mock.send('GET', ['management', '/accounts']);
    await expect.poll(accounts).toEqual({ status: 200, text: '[{"id":"acc-demo","name":"demo"}]' });
    for (const [method, at, body] of others)
      expect({ at, ...(await mock.send(method, at, body)) }).toMatchObject({ at, status: 200 });
  } finally {
    await stop(server);
  }
});

test('a server with operations of other surfaces answers these', async () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    const isOwn = request.url === '/demo/agents/demo-agent' || request.url?.endsWith('/filesystem/tree/') === true;
    response.writeHead(isOwn ? 200 : 404, { 'content-type': 'application/json' }).end('{"from":"the server"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await using mock = await mockInFrontOf((server.address() as AddressInfo).port);
    const fromServer = { status: 200, text: '{"from":"the server"}' };
    expect(await mock.send('POST', ['inference', '/demo/agents/demo-agent'], { inputs: 'hello' })).toEqual(fromServer);
    expect(await mock.send('GET', ['sandbox', '/filesystem/tree/'])).toEqual(fromServer);
    expect(await mock.send('POST', ['inference', '/demo/models/demo-model'], { inputs: 'hello' })).toMatchObject({
      status: 200,
      text: expect.not.stringContaining('the server') as string,
    });
    expect(received).toContain('POST /demo/models/demo-model');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
