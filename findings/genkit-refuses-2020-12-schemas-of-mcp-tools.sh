#!/usr/bin/env bash
# @genkit-ai/mcp lists a tool whose inputSchema names its dialect, JSON Schema 2020-12, but cannot call it: Genkit compiles it with
# a validator that knows only draft-07, and throws before anything is sent. 2020-12 is the dialect that MCP requires everybody to
# support, and z.toJSONSchema() of zod 4 writes that `$schema`, so tools of many servers are affected. Without `$schema`, the same
# tool works. A good guess: it validates with the dialect of MCP, or leaves that to the server.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --legacy-peer-deps @genkit-ai/mcp@1.42.0 genkit@1.42.0 \
  @modelcontextprotocol/sdk@1.32.2 zod@4.6.7 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createMcpClient } from '@genkit-ai/mcp';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { genkit } from 'genkit';
import { z } from 'zod';

const { version } = JSON.parse(readFileSync('node_modules/@genkit-ai/mcp/package.json', 'utf8'));
const withDialect = z.toJSONSchema(z.object({ city: z.string() }));
const { $schema: dialect, ...withoutDialect } = withDialect;
let calls = 0;
const http = createServer(async (request, response) => {
  const server = new Server({ name: 'weather', version: '1' }, { capabilities: { tools: {} } });
  const tools = [{ name: 'with', inputSchema: withDialect }, { name: 'without', inputSchema: withoutDialect }];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, () => {
    calls += 1;
    return { content: [{ type: 'text', text: 'sunny' }] };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response);
});
await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
const ai = genkit({});
const client = createMcpClient({ name: 'weather', mcpServer: { url: `http://127.0.0.1:${http.address().port}/mcp` } });
await client.ready();
const results = {};
for (const tool of await client.getActiveTools(ai)) {
  const name = tool.__action.name.split('/').at(-1);
  results[name] = await tool({ city: 'Lima' }).then(String, ({ message }) => message);
}
console.log(`@genkit-ai/mcp ${version}`);
console.log(`tool with $schema ${dialect}: ${results.with}`);
console.log(`tool without $schema: ${results.without}`);
console.log(`calls that the server received: ${calls}`);
const isAsFound = results.with === `no schema with key or ref "${dialect}"` && results.without === 'sunny' && calls === 1;
process.exit(isAsFound ? 0 : 1);
JS
GENKIT_ENV=prod node try.mjs
