/** Checks that an invalid version header is refused, in both eras; and headers that do not match the body. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import type { Source } from '../../spec/requirements/source.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { formatValue } from '../expect/format-value.ts';
import { isRefused, status } from '../expect/status.ts';
import { fieldsOf } from '../json/fields.ts';
import type { HeaderInput } from '../target/request-types.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { HEADER_MISMATCH, supportedIn, UNKNOWN_VERSION, UNSUPPORTED_VERSION } from '../kit/mcp/eras.ts';
import { otherMessage } from '../kit/mcp/expect.ts';
import { errorCodeIn } from '../kit/mcp/messages.ts';
import { MODERN_VERSION, modernInput, sendModern } from '../kit/mcp/modern.ts';
import { request } from '../kit/mcp/post.ts';
import type { McpResponse } from '../kit/mcp/post.ts';
import { withSessions } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import { hasTools, unlistedCall } from './tools.ts';

/** The first version that has the header. */
const FIRST = '2025-06-18';

/** No version of MCP, past or future. */
const invalidVersions = ['assay', '1999-01-01', `${FIRST}x`] as const;

type Tests = Readonly<Record<string, () => Promise<Mismatch[]>>>;

export const checkVersionHeader = (run: Run, endpoint: Endpoint, refused: number): Promise<void> =>
  withSessions(run, endpoint, async (sessions) => {
    const tests: Record<string, () => Promise<Mismatch[]>> = {};
    for (const session of sessions)
      Object.assign(
        tests,
        session.isModern
          ? modernTests(run, endpoint, refused, hasTools(session))
          : await legacyTests(run, endpoint, refused, session),
      );
    const names = Object.keys(tests);
    run.need(names.length, `an MCP server that chooses version ${FIRST} or a later one, and responds to ping`);
    await run.forEach(names, (name) => tests[name]!());
  });

/** A server that chooses an older version need not know the header. */
async function legacyTests(run: Run, endpoint: Endpoint, refused: number, session: Session): Promise<Tests> {
  if ((session.protocolVersion ?? '') < FIRST || (await session.request('ping')).message?.result === undefined)
    return {};
  const test = (version: string, method: string, params?: object) => async (): Promise<Mismatch[]> => {
    const id = `version-${version}-${method}`;
    const message = { jsonrpc: '2.0', id, method, ...(params && { params }) };
    const { exchange } = await session.send((own) =>
      request({ run, endpoint, headers: { ...own, 'MCP-Protocol-Version': version } }, id, message),
    );
    // Another refusal may be about the tool, which no server has.
    const isOther = params !== undefined && isRefused(exchange);
    return isOther ? [] : citing(mcpSources.versionHeader, status(exchange, refused));
  };
  const [word, date] = invalidVersions;
  return {
    [word]: test(word, 'ping'),
    ...(hasTools(session) && {
      [`${date} with tools/call`]: test(date, 'tools/call', unlistedCall),
      [`${word} with tools/list`]: test(word, 'tools/list'),
    }),
    ...Object.fromEntries(invalidVersions.slice(1).map((version) => [version, test(version, 'ping')])),
  };
}

const DISCOVER = 'server/discover';

function modernTests(run: Run, endpoint: Endpoint, refused: number, callsTools: boolean): Tests {
  const mismatch =
    (method: string, params: object, headers: HeaderInput, codes: readonly number[], source: Source) =>
    async (): Promise<Mismatch[]> => {
      const valid = modernInput('mismatch', method, params);
      const response = await sendModern(run, endpoint, { ...valid, headers: { ...valid.headers, ...headers } });
      const { exchange } = response;
      if (!isRefused(exchange)) return citing(source, status(exchange, refused));
      // One of an intermediary, which need not send a JSON-RPC error.
      if (errorCodeIn(exchange.response) === undefined && status(exchange, refused).length === 0) return [];
      return citing(mcpSources.headerError, refusal(response, refused, codes));
    };
  const { headerMismatch, missingHeader } = mcpSources;
  return {
    [`${MODERN_VERSION}: an unknown version`]: async () => {
      const input = modernInput('version', DISCOVER, {}, { version: UNKNOWN_VERSION });
      const response = await sendModern(run, endpoint, input);
      return citing(mcpSources.modernVersion, refusal(response, refused, [UNSUPPORTED_VERSION]));
    },
    [`${MODERN_VERSION}: another method in the header`]: mismatch(
      DISCOVER,
      {},
      { 'Mcp-Method': 'tools/list' },
      [HEADER_MISMATCH],
      headerMismatch,
    ),
    [`${MODERN_VERSION}: another version in the header`]: mismatch(
      DISCOVER,
      {},
      { 'MCP-Protocol-Version': UNKNOWN_VERSION },
      [HEADER_MISMATCH, UNSUPPORTED_VERSION],
      headerMismatch,
    ),
    [`${MODERN_VERSION}: no method in the header`]: mismatch(
      DISCOVER,
      {},
      { 'Mcp-Method': undefined },
      [HEADER_MISMATCH],
      missingHeader,
    ),
    ...(callsTools && {
      [`${MODERN_VERSION}: another tool in the header`]: mismatch(
        'tools/call',
        unlistedCall,
        { 'Mcp-Name': 'assay' },
        [HEADER_MISMATCH],
        headerMismatch,
      ),
      [`${MODERN_VERSION}: no tool in the header`]: mismatch(
        'tools/call',
        unlistedCall,
        { 'Mcp-Name': undefined },
        [HEADER_MISMATCH],
        missingHeader,
      ),
    }),
  };
}

/** The status, and a JSON-RPC error with one of these codes. */
function refusal(response: McpResponse, refused: number, codes: readonly number[]): Mismatch[] {
  const { exchange, message } = response;
  const code = fieldsOf(message?.error)?.['code'];
  const expected = `error ${codes.join(' or ')}`;
  const found = status(exchange, refused);
  if (!codes.some((each) => each === code)) {
    const actual = message === undefined ? (otherMessage(exchange) ?? 'no message') : `error ${formatValue(code)}`;
    return [...found, { expected, actual, exchange }];
  }
  if (code !== UNSUPPORTED_VERSION || supportedIn(response)?.includes(MODERN_VERSION) === true) return found;
  const data = formatValue(fieldsOf(message?.error)?.['data']);
  return [...found, { expected: `error.data.supported: a list with ${MODERN_VERSION}`, actual: data, exchange }];
}
