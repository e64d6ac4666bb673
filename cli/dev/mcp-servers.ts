/**
 * `npm run mcp-servers`: judges MCP servers made with published packages, which it installs in a temporary folder: none that
 * conforms may fail a rule, in either era of MCP. Takes minutes.
 */
import { spawn } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startMock } from '../../mock/start-mock.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { runOnTarget } from '../e2e/testing/run-on-target.ts';
import { devCommand } from './dev-command.ts';
import { installPackages } from './install-packages.ts';

devCommand('mcp-servers', 'judges MCP servers made with published packages; takes minutes').parse();

const dependencies = {
  '@hono/mcp': '0.3.2',
  '@hono/node-server': '2.1.9',
  '@mastra/core': '1.71.0',
  '@mastra/mcp': '2.0.0',
  '@modelcontextprotocol/node': '2.1.2',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/server': '2.4.0',
  '@modelcontextprotocol/server-everything': '2026.8.31',
  express: '5.3.0',
  fastmcp: '4.20.16',
  hono: '4.13.19',
  'mcp-proxy': '6.7.19',
  supergateway: '4.0.0',
  zod: '4.6.7',
};

interface Configuration {
  /** Of node. The placeholder PORT is replaced. Defaults to a configuration of fixtures/mcp-servers/server.mjs. */
  readonly words?: readonly string[];
  /** What the server breaks. */
  readonly failing?: readonly RequirementId[];
}

const STDIO = ['server.mjs', 'sdk stdio'];
const configurations: Readonly<Record<string, Configuration>> = {
  'sdk stateful': {},
  'server both eras': {},
  'server modern only': {},
  fastmcp: {},
  '@mastra/mcp': {},
  // 202 with the body "null", and 404 for an invalid version header. With one transport for all clients, a session ends when
  // another one begins, which a server may do at any time.
  '@hono/mcp': { failing: ['mcp.functions.speaks-streamable-http', 'mcp.functions.version-header-checked'] },
  // 400 for an ended session.
  'server-everything': {
    words: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'streamableHttp'],
    failing: ['mcp.functions.speaks-streamable-http'],
  },
  'mcp-proxy': {
    words: ['node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs', '--port', 'PORT', '--', 'node', ...STDIO],
  },
  // It accepts version 2026-07-28, but not server/discover.
  supergateway: {
    words: [
      'node_modules/supergateway/dist/index.js',
      '--stdio',
      "node server.mjs 'sdk stdio'",
      '--stateful',
      '--outputTransport',
      'streamableHttp',
      '--port',
      'PORT',
    ],
    failing: ['mcp.functions.speaks-streamable-http'],
  },
};

const selected = requirements.map(({ id }) => id).filter((id) => id.startsWith('mcp.functions.'));

/** Serves /{workspace}/functions/{name}/mcp with the /mcp of that port. */
async function startProxy(port: number) {
  const proxy = http.createServer((request, response) => {
    const { method, headers } = request;
    const to = { host: '127.0.0.1', port, path: '/mcp', method, headers: { ...headers, host: `127.0.0.1:${port}` } };
    const onward = http.request(to, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      response.flushHeaders();
      received.pipe(response);
    });
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, [Symbol.dispose]: close };
}

async function freePort(): Promise<number> {
  using proxy = await startProxy(0);
  return Number(new URL(proxy.address).port);
}

/** Resolves when the server responds to anything. */
async function waitUntilServing(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1)
    try {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body: '{}' });
      return await response.body?.cancel();
    } catch {
      await wait(200);
    }
}

/** Says which verdicts differ from what the server does. */
async function judge(cwd: string, name: string, { words, failing = [] }: Configuration): Promise<void> {
  const port = await freePort();
  const command = (words ?? ['server.mjs', name, 'PORT']).map((word) => (word === 'PORT' ? String(port) : word));
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  const server = spawn(process.execPath, command, {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, PATH, PORT: String(port) },
  });
  try {
    using proxy = await startProxy(port);
    await using mock = await startMock();
    await waitUntilServing(port);
    const { target } = mock;
    const outcomes = await runOnTarget(
      { ...target, allow: 'write', addresses: { ...target.addresses, inference: proxy.address } },
      { selected },
    );
    const wrong = outcomes.filter(({ result: { id, verdict } }) => {
      const expected = failing.some((each) => each === id) ? 'failed' : 'passed';
      return verdict !== expected;
    });
    process.stdout.write(`${name}: ${outcomes.length - wrong.length} of ${outcomes.length} verdicts are right.\n`);
    for (const { result } of wrong) process.stdout.write(`${result.verdict} ${result.id}: ${result.reason ?? ''}\n`);
    if (wrong.length > 0) process.exitCode = 1;
  } finally {
    server.kill('SIGKILL');
  }
}

using folder = installPackages('mcp-servers', dependencies);
for (const [name, configuration] of Object.entries(configurations)) await judge(folder.path, name, configuration);
