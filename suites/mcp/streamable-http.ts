/** Checks that an endpoint implements the streamable HTTP transport. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused } from '../expect/status.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { startMismatches, succeeded } from '../kit/mcp/expect.ts';
import type { MessageId } from '../kit/mcp/messages.ts';
import { inSession, protocolVersions } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import { getMismatches } from './get-stream.ts';
import { hasTools, listTools } from './tools.ts';
import { unknownNotificationMismatches } from './unknown-notification.ts';

type Tests = Readonly<Record<string, () => Promise<readonly Mismatch[]>>>;

/** Initializes, lists tools and pings; with every protocol version; and during another session. `more` is tested as well. */
export async function checkStreamableHttp(run: Run, endpoint: Endpoint, more: Tests = {}): Promise<void> {
  const [, ...olderVersions] = protocolVersions;
  const tests: Tests = {
    'the newest version': () => inSession(run, endpoint, (session) => newestMismatches(run, endpoint, session)),
    'request ids': () => requestIdMismatches(run, endpoint),
    'another session meanwhile': () => concurrentSessionMismatches(run, endpoint),
    ...Object.fromEntries(
      olderVersions.map((version) => [`version ${version}`, () => negotiationMismatches(run, endpoint, version)]),
    ),
    'an unknown version': () => unknownVersionMismatches(run, endpoint),
    ...more,
  };
  await run.forEach(Object.keys(tests), (name) => tests[name]!(), { sequential: true });
}

/** Reports failures of the usual messages alone. */
async function newestMismatches(run: Run, endpoint: Endpoint, session: Session): Promise<Mismatch[]> {
  const found = await usedMismatches(session);
  if (found.length > 0) return found;
  const checks = [unknownNotificationMismatches, getMismatches];
  for (const check of checks) found.push(...(await check(run, endpoint, session)));
  return found;
}

const usedMismatches = async (session: Session): Promise<Mismatch[]> => [
  ...startMismatches(session),
  ...(await usabilityMismatches(session)),
];

async function usabilityMismatches(session: Session): Promise<Mismatch[]> {
  if (session.started.message === undefined) return []; // Already reported: initialization failed.
  return [...(await pingMismatches(session)), ...(await listsTools(session)), ...(await pingMismatches(session, {}))];
}

const pingMismatches = async (session: Session, params?: object, id?: MessageId): Promise<Mismatch[]> =>
  succeeded(await session.request('ping', params, id), 'ping');

const listsTools = async (session: Session): Promise<readonly Mismatch[]> =>
  hasTools(session) ? (await listTools(session)).mismatches : [];

/** A server must choose an offered version that it has chosen before (MCP 2025-11-25, Version Negotiation). */
async function negotiationMismatches(run: Run, endpoint: Endpoint, version: string): Promise<Mismatch[]> {
  const offer = (offered: string, use: (session: Session) => Promise<Mismatch[]>): Promise<Mismatch[]> =>
    inSession(run, endpoint, use, { offered, mayBeRefused: true });
  let chosen: string | undefined;
  const found = await offer(version, async (session) => {
    chosen = session.protocolVersion;
    return isVersionRefused(session) ? [] : usedMismatches(session);
  });
  if (chosen === undefined || chosen === version || found.length > 0) return found;
  const again = chosen;
  return offer(again, async (session) => versionMismatches(session, again));
}

/** A server may refuse an unsupported version. */
const isVersionRefused = ({ started: { exchange, message } }: Session): boolean =>
  message?.error !== undefined || isRefused(exchange);

function versionMismatches({ protocolVersion, started: { exchange } }: Session, offered: string): Mismatch[] {
  if (protocolVersion === offered) return [];
  const expected = `protocol version ${offered}, which this server chose before`;
  return [{ expected, actual: protocolVersion ?? 'none', exchange }];
}

/** No server supports it. */
const UNKNOWN_VERSION = '1999-12-31';

/** A server that does not support the offered version must choose another one, or refuse (MCP 2025-11-25, Version Negotiation). */
function unknownVersionMismatches(run: Run, endpoint: Endpoint): Promise<Mismatch[]> {
  const judge = async ({ protocolVersion, started: { exchange } }: Session): Promise<Mismatch[]> =>
    protocolVersion === UNKNOWN_VERSION
      ? [{ expected: 'a protocol version that exists, or an error', actual: protocolVersion, exchange }]
      : [];
  return inSession(run, endpoint, judge, { offered: UNKNOWN_VERSION, mayBeRefused: true });
}

/** A session is used before, between and after another one, which is ended in between. */
function concurrentSessionMismatches(run: Run, endpoint: Endpoint): Promise<Mismatch[]> {
  return inSession(run, endpoint, async (session) => {
    const before = await usabilityMismatches(session);
    const other = await inSession(run, endpoint, async (second) => [
      ...(await usedMismatches(second)),
      ...(await usabilityMismatches(session)),
      ...(await pingMismatches(second)),
    ]);
    return [...before, ...other, ...(await usabilityMismatches(session))];
  });
}

const BEYOND_32_BITS = 2 ** 32;

/** Responses have the id of their request, string or number, also for concurrent requests. */
function requestIdMismatches(run: Run, endpoint: Endpoint): Promise<Mismatch[]> {
  return inSession(run, endpoint, async (session) => {
    if (session.started.message === undefined) return [];
    const ids: MessageId[] = [
      1001,
      BEYOND_32_BITS + 1002,
      -1003,
      'Ping-1004',
      '1005',
      `ping-${'x'.repeat(100)}-1006`,
      '00000000-0000-4000-8000-000000001007',
    ];
    const found = await Promise.all(ids.map((id) => pingMismatches(session, undefined, id)));
    return found.flat();
  });
}
