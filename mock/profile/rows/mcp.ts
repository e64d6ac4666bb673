/** mcp.undocumented.session-and-capabilities: what the transport leaves to the server. */
import { Readable } from 'node:stream';
import { MCP_SERVERS, OFFERED_VERSIONS, type McpServer } from '../../../spec/observations/observation-points.ts';
import type { ObservedResponse } from '../../../spec/observations/response-kinds.ts';
import { NO_RESPONSE } from '../../../spec/observations/value-kind.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { isFor } from '../../wrap/wrapping.ts';
import type { Context } from '../../pipeline/context.ts';
import type { McpChoices } from '../../state/choices.ts';
import { memberOf, replyOf, respond, withBody } from '../effects.ts';
import { cannot, choice, layered, type Follow, type Given, type Layer, type Row, type RowsOf } from '../row.ts';

const ID = 'mcp.undocumented.session-and-capabilities';

const operations = {
  function: { get: 'getFunctionMcp', post: 'postFunctionMcp', end: 'deleteFunctionMcp' },
  sandbox: { get: 'getSandboxMcp', post: 'postSandboxMcp', end: 'deleteSandboxMcp' },
} as const satisfies Record<McpServer, Record<string, OperationId>>;

const choose = (server: McpServer, part: Partial<McpChoices>): Follow => ({ choices: { mcp: { [server]: part } } });

/** Of the protocol; a server may list capabilities that it has nothing for. */
const CAPABILITIES = ['completions', 'experimental', 'logging', 'prompts', 'resources', 'tools'];

const capabilities = (server: McpServer): Row<readonly string[]> => ({
  own: ['tools'],
  follow: (names) => {
    if (!names.includes('tools')) return cannot('the servers of the mock have tools');
    if (names.some((name) => !CAPABILITIES.includes(name))) return cannot(`it knows ${CAPABILITIES.join(', ')}`);
    return choose(server, { alsoListed: names.filter((name) => name !== 'tools') });
  },
});

const hasNoSession = ({ valueAt }: Given, server: McpServer): boolean =>
  valueAt(ID, `${server}: session id`) === 'none';

const isModernOnly = ({ valueAt }: Given, server: McpServer): boolean => valueAt(ID, `${server}: era`) === 'modern';

const MODERN = '2026-07-28';
const UNSUPPORTED_VERSION = -32_022;

/** A server of one era refuses the requests of the other one (MCP 2026-07-28, Versioning). */
const refusesVersion =
  (id: OperationId, isRefused: (ctx: Context) => boolean, supported: readonly string[]): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx); // For everything that comes before the MCP server, such as credentials.
    const { reply, body: posted } = ctx.state;
    const isMcp = isFor(ctx, [id]) && memberOf(posted, 'method') !== undefined;
    if (!isMcp || !isRefused(ctx) || reply === undefined || reply.status === 401 || reply.status === 403) return;
    if (reply.body instanceof Readable) reply.body.destroy();
    const error = { code: UNSUPPORTED_VERSION, message: 'Unsupported protocol version', data: { supported } };
    const body = { jsonrpc: '2.0', id: memberOf(posted, 'id') ?? null, error };
    ctx.state.reply = { status: 400, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  };

const isModern = (ctx: Context): boolean => ctx.get('mcp-protocol-version') === MODERN;

const era = (id: OperationId): Row<'legacy' | 'modern' | 'dual-era'> =>
  choice<'legacy' | 'modern' | 'dual-era'>('dual-era', {
    legacy: layered(refusesVersion(id, isModern, known)),
    modern: layered(refusesVersion(id, (ctx) => !isModern(ctx), [MODERN])),
  });

type Ended = { readonly status: number } | 'no session';

/** A request that needs a session; `without`: what is observed if there is none. */
const ofSession = <Value extends Ended>(
  server: McpServer,
  own: Value & { readonly status: number },
  id: OperationId,
  without?: Value,
): Row<Value> => ({
  own: (given) => (isModernOnly(given, server) ? undefined : hasNoSession(given, server) ? without : own),
  follow: (value, given) => {
    if (value === 'no session' || hasNoSession(given, server)) return cannot('there is no session to end');
    const { status } = value;
    return layered(respond(replyOf(id, own.status), { status, ...(status === 204 && { body: 'nothing' }) }));
  },
});

/** Responds to an offer of one version as to an offer of another. */
const offerInstead = (id: OperationId, offered: string, instead: string): Layer =>
  withBody([id], (body, ctx) => {
    if (memberOf(body, 'method') !== 'initialize' || memberOf(body, 'params', 'protocolVersion') !== offered)
      return undefined;
    // The version offered instead has a row of its own.
    if (replaced.has(ctx)) return undefined;
    replaced.add(ctx);
    return { ...(body as object), params: { ...(memberOf(body, 'params') as object), protocolVersion: instead } };
  });

const replaced = new WeakSet<Context>();

const UNKNOWN = '1999-12-31';
const known: readonly string[] = OFFERED_VERSIONS.filter((version) => version !== UNKNOWN);

const offer = (server: McpServer, id: OperationId, offered: string): Row<{ readonly version: string } | object> => ({
  own: (given) =>
    isModernOnly(given, server)
      ? { errorCode: UNSUPPORTED_VERSION }
      : { version: offered === UNKNOWN ? OFFERED_VERSIONS[0] : offered },
  follow: (value) =>
    'version' in value && known.includes(value.version)
      ? layered(offerInstead(id, offered, value.version))
      : cannot(`the mock agrees on one of ${known.join(', ')} with every client`),
});

function rowsOf(server: McpServer): RowsOf<typeof ID> {
  const { get, post, end } = operations[server];
  return {
    [`${server}: era`]: era(post),
    [`${server}: session id`]: choice<'given' | 'none'>('given', { none: choose(server, { sessions: 'none' }) }),
    [`${server}: delivery of responses`]: {
      own: 'event stream',
      follow: (value: unknown) =>
        value === 'JSON'
          ? choose(server, { responseFormat: 'JSON' })
          : cannot('the mock sends JSON or an event stream'),
    },
    [`${server}: capabilities`]: capabilities(server),
    [`${server}: GET`]: {
      own: { status: 200, mediaType: 'text/event-stream' },
      follow: (value: ObservedResponse | 'no response') =>
        value === NO_RESPONSE || value.mediaType !== undefined
          ? cannot('the mock sends the head of a stream at once')
          : layered(respond(replyOf(get, 200), { status: value.status, body: 'nothing' })),
    },
    [`${server}: DELETE`]: ofSession<Ended>(server, { status: 200 }, end, 'no session'),
    [`${server}: ping after DELETE`]: ofSession(server, { status: 404 }, post),
    ...Object.fromEntries(
      OFFERED_VERSIONS.map((version) => [`${server}: version offered ${version}`, offer(server, post, version)]),
    ),
  };
}

export const mcpRows: RowsOf<typeof ID> = Object.assign({}, ...MCP_SERVERS.map(rowsOf));
