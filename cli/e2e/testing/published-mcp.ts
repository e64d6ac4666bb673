/** For tests: the MCP endpoint of the published sandbox server, as the official MCP SDK for Go 1.7.0 serves it without sessions. */
import type { IncomingMessage, ServerResponse } from 'node:http';

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** Without `initialize`: each request has it in its headers and its body. */
const MODERN = '2026-07-28';

const object = (...names: readonly string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

const tools = [
  { name: 'fsGetWorkingDirectory', inputSchema: object(), outputSchema: object('workingDirectory') },
  { name: 'fsListDirectory', inputSchema: object('path'), outputSchema: object() },
  { name: 'fsReadFile', inputSchema: object('path'), outputSchema: object('content') },
].map((tool) => ({ ...tool, description: 'A tool of the file system.' }));

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: object;
    readonly protocolVersion?: string;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

interface Failure {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

type Outcome = { readonly result: object } | { readonly error: Failure };

export function mcpReply(request: IncomingMessage, response: ServerResponse, body: string): void {
  const { method, headers } = request;
  const refuse = (status: number, message: string): void =>
    void response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
  if (method === 'GET') {
    response.writeHead(405, { 'content-type': 'application/json', allow: 'POST' });
    return void response.end(JSON.stringify({ error: 'GET is not supported without sessions' }));
  }
  if (method !== 'POST') return refuse(404, '404 page not found');
  const accept = headers.accept ?? '';
  if (!accept.includes('application/json') || !accept.includes('text/event-stream'))
    return refuse(400, 'Accept must contain both application/json and text/event-stream');
  if (headers['content-type']?.startsWith('application/json') !== true)
    return refuse(415, 'Content-Type must be application/json');
  const version = headers['mcp-protocol-version'];
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    return refuse(400, 'malformed payload');
  }
  if (version === MODERN || versionIn(sent as Message) !== undefined)
    return modernReply(request, response, sent as Message);
  if (version !== undefined && !VERSIONS.includes(String(version))) return refuse(400, 'Unsupported protocol version');
  const messages = [sent].flat() as Message[];
  const requests = messages.filter(({ id }) => id !== undefined);
  if (requests.length === 0) return void response.writeHead(202).end();
  const outcomes = requests.map((message) => outcomeOf(message));
  if (outcomes.includes(undefined)) return refuse(400, 'unsupported method');
  const replies = requests.map(({ id }, at) => ({ jsonrpc: '2.0', id, ...outcomes[at]! }));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(Array.isArray(sent) ? replies : replies[0]));
}

const versionIn = (sent: Message | null): unknown =>
  sent?.params?.['_meta']?.['io.modelcontextprotocol/protocolVersion'];

/** Its headers must match its body, and there is neither `initialize` nor `ping`. */
function modernReply({ headers }: IncomingMessage, response: ServerResponse, sent: Message): void {
  const { id, method, params } = sent;
  const send = (status: number, outcome: Outcome): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: id ?? null, ...outcome }));
  };
  const refuse = (status: number, code: number, message: string, data?: object): void =>
    send(status, { error: { code, message, ...(data && { data }) } });
  const version = headers['mcp-protocol-version'];
  const supported = [MODERN, ...VERSIONS];
  // As the standard demands: what the server does with an unknown version that is also in the body was not observed.
  if (version !== MODERN && version === versionIn(sent))
    return refuse(400, -32_022, 'unsupported protocol version', { supported, requested: version });
  const isNamed = method !== 'tools/call' || headers['mcp-name'] === params?.name;
  if (version !== versionIn(sent) || headers['mcp-method'] !== method || !isNamed)
    return refuse(400, -32_020, 'header mismatch');
  if (id === undefined) return void response.writeHead(202).end();
  const caching = { ttlMs: 0, cacheScope: 'public' };
  if (method === 'server/discover')
    return send(200, {
      result: { resultType: 'complete', ...caching, supportedVersions: supported, capabilities, serverInfo },
    });
  const outcome = method === 'initialize' || method === 'ping' ? undefined : outcomeOf(sent);
  if (outcome === undefined) return refuse(404, -32_601, `method not found: ${method}`);
  if ('error' in outcome) return send(200, outcome);
  const hints = method === 'tools/list' ? caching : {};
  send(200, { result: { resultType: 'complete', ...hints, ...outcome.result } });
}

const capabilities = { logging: {}, tools: { listChanged: true } };
const serverInfo = { name: 'sandbox', version: '1.0.0' };

/** Undefined for an unknown method. */
function outcomeOf({ method, params = {} }: Message): Outcome | undefined {
  if (method === 'ping') return { result: {} };
  if (method === 'tools/list') return { result: { tools } };
  if (method === 'initialize') {
    const protocolVersion = VERSIONS.find((each) => each === params.protocolVersion) ?? VERSIONS[0];
    return { result: { protocolVersion, capabilities, serverInfo } };
  }
  return method === 'tools/call' ? called(params.name, params.arguments ?? {}) : undefined;
}

function called(name: string | undefined, sent: object): Outcome {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return { error: { code: -32602, message: `unknown tool "${name}"` } };
  const { properties = {}, required = [] } = tool.inputSchema as { properties?: object; required?: readonly string[] };
  const isValid =
    required.every((each) => typeof (sent as Record<string, unknown>)[each] === 'string') &&
    Object.keys(sent).every((each) => each in properties);
  const [text, structured] =
    name === 'fsGetWorkingDirectory' ? ['/app', { workingDirectory: '/app' }] : ['', { content: '' }];
  return isValid
    ? { result: { content: [{ type: 'text', text }], structuredContent: structured } }
    : { result: { content: [{ type: 'text', text: 'validating arguments' }], isError: true } };
}
