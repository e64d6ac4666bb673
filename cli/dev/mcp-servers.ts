/**
 * `npm run mcp-servers`: judges MCP servers made with published packages, which it installs in a temporary folder: none that
 * conforms may fail a rule, in either era of MCP. Takes minutes.
 */
import { startMock } from '../../mock/start-mock.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { runOnTarget } from '../e2e/testing/run-on-target.ts';
import { devCommand } from './dev-command.ts';
import { installPackages } from './install-packages.ts';
import { startProxy, startServer } from './published-server.ts';
import { writeVerdicts, type KnownVerdicts } from './unexpected-verdicts.ts';

devCommand('mcp-servers', 'judges MCP servers made with published packages; takes minutes').parse();

const dependencies = {
  '@hono/mcp': '0.3.2',
  '@hono/node-server': '2.1.9',
  '@mastra/core': '1.71.0',
  '@mastra/mcp': '2.0.0',
  '@modelcontextprotocol/express': '2.0.2',
  '@modelcontextprotocol/hono': '2.0.2',
  '@modelcontextprotocol/node': '2.1.2',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/server': '2.4.0',
  '@modelcontextprotocol/server-everything': '2026.8.31',
  '@xmcp-dev/compiler': '1.1.3',
  '@types/node': '24.19.2',
  express: '5.3.0',
  fastmcp: '4.20.16',
  hono: '4.13.19',
  'mcp-framework': '0.2.22',
  'mcp-proxy': '6.7.19',
  supergateway: '4.0.0',
  xmcp: '1.1.3',
  zod: '4.6.7',
};

interface Configuration {
  /** Of node. The placeholder PORT is replaced. Defaults to a configuration of fixtures/mcp-servers/server.mjs. */
  readonly words?: readonly string[];
  /** What the server breaks. */
  readonly known?: KnownVerdicts;
}

const proxyWords = (...options: string[]): readonly string[] => [
  'node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs',
  '--port',
  'PORT',
  ...options,
  '--',
  'node',
  'server.mjs',
  'sdk stdio',
];

const supergateway = (...options: string[]): Configuration => ({
  words: [
    'node_modules/supergateway/dist/index.js',
    '--stdio',
    "node server.mjs 'sdk stdio'",
    ...options,
    '--outputTransport',
    'streamableHttp',
    '--port',
    'PORT',
  ],
  // It accepts version 2026-07-28, but not server/discover.
  known: { 'mcp.functions.speaks-streamable-http': 'failed: error: {"code":-32601' },
});

// 202 with the body "null", and 404 for an invalid version header.
const honoMcp: KnownVerdicts = {
  'mcp.functions.speaks-streamable-http': 'failed: the body: "null", expected the body: empty',
  'mcp.functions.version-header-checked': 'failed: status 404, expected status 400',
};

const configurations: Readonly<Record<string, Configuration>> = {
  'sdk stateful': {},
  'sdk json': {},
  'sdk stateless': {},
  'server both eras': {},
  'server modern only': {},
  'server stateful': {},
  'server stateless': {},
  'server hono stateless': {},
  'server hono json': {},
  fastmcp: {},
  'fastmcp json': {},
  'fastmcp stateless': {},
  '@mastra/mcp': {},
  // One transport for all clients, without sessions: of two requests with the same id, one gets no response.
  '@hono/mcp': { known: { ...honoMcp, 'mcp.functions.listed-tools-callable': 'failed: none' } },
  '@hono/mcp sessions': { known: honoMcp },
  'mcp-framework stream': {},
  'mcp-framework batch': {},
  xmcp: { words: ['xmcp/serve.mjs'] },
  // 400 for an ended session.
  'server-everything': {
    words: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'streamableHttp'],
    known: { 'mcp.functions.speaks-streamable-http': 'failed: status 400, expected status 404' },
  },
  'mcp-proxy': { words: proxyWords() },
  'mcp-proxy stateless': { words: proxyWords('--stateless') },
  supergateway: supergateway('--stateful'),
  'supergateway stateless': supergateway(),
};

const selected = requirements.map(({ id }) => id).filter((id) => id.startsWith('mcp.functions.'));

/** Writes which verdicts differ from what is known of the server. */
async function judge(cwd: string, name: string, { words, known = {} }: Configuration): Promise<void> {
  using server = await startServer(cwd, words ?? ['server.mjs', name, 'PORT']);
  // /{workspace}/functions/{name}/mcp
  using proxy = await startProxy(() => ({ port: server.port, path: '/mcp' }));
  await using mock = await startMock();
  const { target } = mock;
  const outcomes = await runOnTarget(
    { ...target, allow: 'write', addresses: { ...target.addresses, inference: proxy.address } },
    { selected },
  );
  writeVerdicts(name, outcomes, known);
}

using folder = installPackages('mcp-servers', dependencies);
for (const [name, configuration] of Object.entries(configurations)) await judge(folder.path, name, configuration);
