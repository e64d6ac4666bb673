/** Checks that an endpoint implements the streamable HTTP transport, in each era that it supports. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused } from '../expect/status.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { erasOf, isStarted, legacyVersions, supportedIn, UNKNOWN_VERSION, unsupportedEras } from '../kit/mcp/eras.ts';
import type { Eras } from '../kit/mcp/eras.ts';
import { unsupportedMismatches, discoverMismatches, startMismatches, succeeded } from '../kit/mcp/expect.ts';
import type { MessageId } from '../kit/mcp/messages.ts';
import { MODERN_VERSION } from '../kit/mcp/modern.ts';
import { inSession, modernSession } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import { endedSessionMismatches } from './ended-session.ts';
import { getMismatches } from './get-stream.ts';
import { notificationMismatches } from './notifications.ts';
import { hasTools, listTools } from './tools.ts';

type Tests = Readonly<Record<string, () => Promise<readonly Mismatch[]>>>;

/** `more` is tested as well, if a client can begin. */
export async function checkStreamableHttp(run: Run, endpoint: Endpoint, more: Tests = {}): Promise<void> {
  const eras = await erasOf(run, endpoint);
  if (!eras.isLegacy && !eras.isModern) {
    run.need(!isLater(eras), unsupportedEras(eras));
    return run.check(unsupportedMismatches(eras));
  }
  const tests: Tests = {
    ...(eras.isLegacy && legacyTests(run, endpoint)),
    ...(eras.isModern && modernTests(run, endpoint, eras)),
    ...more,
  };
  await run.forEach(Object.keys(tests), (name) => tests[name]!(), { sequential: true });
}

const knownVersions: readonly unknown[] = [MODERN_VERSION, ...legacyVersions];

/** Whether the server supports only versions that this client does not know. */
function isLater({ initialized, discovered }: Eras): boolean {
  const supported = [initialized, discovered].flatMap((response) => supportedIn(response) ?? []);
  return supported.length > 0 && !supported.some((each) => knownVersions.includes(each));
}

/** Initializes, lists tools and pings; with every protocol version; and during another session. */
function legacyTests(run: Run, endpoint: Endpoint): Tests {
  const [, ...olderVersions] = legacyVersions;
  return {
    'the newest version': () => inSession(run, endpoint, (session) => newestMismatches(run, endpoint, session)),
    'request ids': () => inSession(run, endpoint, requestIdMismatches),
    'another session meanwhile': () => concurrentSessionMismatches(run, endpoint),
    ...Object.fromEntries(
      olderVersions.map((version) => [`version ${version}`, () => negotiationMismatches(run, endpoint, version)]),
    ),
    'an unknown version': () => unknownVersionMismatches(run, endpoint),
  };
}

/** Discovers, lists tools, and sends requests at the same time. */
function modernTests(run: Run, endpoint: Endpoint, eras: Eras): Tests {
  const session = modernSession(run, endpoint, eras);
  const isDiscovered = isStarted(eras.discovered);
  return {
    'version 2026-07-28': async () => {
      // Capabilities are unknown without server/discover.
      const tools = isDiscovered ? await listsTools(session) : (await listTools(session)).mismatches;
      const found = [...discoverMismatches(eras.discovered), ...tools];
      return found.length > 0 ? found : notificationMismatches(run, endpoint, session);
    },
    ...(isDiscovered && { 'request ids of version 2026-07-28': () => requestIdMismatches(session) }),
  };
}

/** Reports failures of the usual messages alone. */
async function newestMismatches(run: Run, endpoint: Endpoint, session: Session): Promise<Mismatch[]> {
  const found = await usedMismatches(session);
  if (found.length > 0) return found;
  const checks = [notificationMismatches, getMismatches];
  for (const check of checks) found.push(...(await check(run, endpoint, session)));
  return found.length > 0 ? found : endedSessionMismatches(run, endpoint, session);
}

const usedMismatches = async (session: Session): Promise<Mismatch[]> => [
  ...startMismatches(session),
  ...(await usabilityMismatches(session)),
];

async function usabilityMismatches(session: Session): Promise<Mismatch[]> {
  if (session.accepted === undefined) return []; // Already reported: initialization failed.
  return [...(await pingMismatches(session)), ...(await listsTools(session)), ...(await pingMismatches(session, {}))];
}

const pingMismatches = async (session: Session, params?: object, id?: MessageId): Promise<Mismatch[]> =>
  succeeded(session, await session.request('ping', params, id), { of: 'ping', source: mcpSources.ping });

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
  return citing(mcpSources.negotiation, [{ expected, actual: protocolVersion ?? 'none', exchange }]);
}

/** A server that does not support the offered version must choose another one, or refuse (MCP 2025-11-25, Version Negotiation). */
function unknownVersionMismatches(run: Run, endpoint: Endpoint): Promise<Mismatch[]> {
  const judge = async ({ protocolVersion, started: { exchange } }: Session): Promise<Mismatch[]> =>
    protocolVersion === UNKNOWN_VERSION
      ? citing(mcpSources.negotiation, [
          { expected: 'a protocol version that exists, or an error', actual: protocolVersion, exchange },
        ])
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
async function requestIdMismatches(session: Session): Promise<Mismatch[]> {
  if (!isStarted(session.started)) return []; // Already reported.
  const ids: MessageId[] = [
    1001,
    BEYOND_32_BITS + 1002,
    -1003,
    'Ping-1004',
    '1005',
    `ping-${'x'.repeat(100)}-1006`,
    '00000000-0000-4000-8000-000000001007',
  ];
  const found = await Promise.all(
    ids.map(async (id) =>
      session.isModern
        ? discoverMismatches(await session.request('server/discover', undefined, id))
        : pingMismatches(session, undefined, id),
    ),
  );
  return found.flat();
}
