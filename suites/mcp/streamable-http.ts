/** Checks that an endpoint implements the streamable HTTP transport. */
import * as fc from 'fast-check';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused } from '../expect/status.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { startMismatches, succeeded } from '../kit/mcp/expect.ts';
import type { MessageId } from '../kit/mcp/messages.ts';
import { inSession, protocolVersions } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';
import { hasTools, listTools } from './tools.ts';

/** Initializes, lists tools and pings; with every protocol version; and during another session. */
export async function checkStreamableHttp(run: Run, endpoint: Endpoint): Promise<void> {
  run.check(
    await inSession(run, endpoint, async (session) => [
      ...startMismatches(session),
      ...(await usabilityMismatches(session)),
    ]),
  );
  run.check(await negotiationMismatches(run, endpoint));
  run.check(await concurrentSessionMismatches(run, endpoint));
  await checkRequestIds(run, endpoint);
}

async function usabilityMismatches(session: Session): Promise<Mismatch[]> {
  if (session.started.message === undefined) return []; // Already reported: initialization failed.
  return [...(await pingMismatches(session)), ...(await listsTools(session)), ...(await pingMismatches(session, {}))];
}

const pingMismatches = async (session: Session, params?: object, id?: MessageId): Promise<Mismatch[]> =>
  succeeded(await session.request('ping', params, id), 'ping');

const listsTools = async (session: Session): Promise<readonly Mismatch[]> =>
  hasTools(session) ? (await listTools(session)).mismatches : [];

/** A server must choose an offered version that it has chosen before (MCP 2025-11-25, Version Negotiation). */
async function negotiationMismatches(run: Run, endpoint: Endpoint): Promise<Mismatch[]> {
  const chosen = new Set<string>();
  const found: Mismatch[] = [];
  const offer = (offered: string, use: (session: Session) => Promise<Mismatch[]>): Promise<Mismatch[]> =>
    inSession(run, endpoint, use, { offered, seconds: 0 });
  for (const offered of protocolVersions)
    found.push(
      ...(await offer(offered, async (session) => {
        if (session.protocolVersion !== undefined) chosen.add(session.protocolVersion);
        return isVersionRefused(session) ? [] : [...startMismatches(session), ...(await usabilityMismatches(session))];
      })),
    );
  for (const version of chosen)
    found.push(...(await offer(version, async (session) => versionMismatches(session, version))));
  return found;
}

/** A server may refuse an unsupported version. */
const isVersionRefused = ({ started: { exchange, message } }: Session): boolean =>
  message?.error !== undefined || isRefused(exchange);

function versionMismatches({ protocolVersion, started: { exchange } }: Session, offered: string): Mismatch[] {
  if (protocolVersion === offered) return [];
  const expected = `protocol version ${offered}, which this server chose before`;
  return [{ expected, actual: protocolVersion ?? 'none', exchange }];
}

/** A session is used before, between and after another one, which is ended in between. */
function concurrentSessionMismatches(run: Run, endpoint: Endpoint): Promise<Mismatch[]> {
  return inSession(run, endpoint, async (session) => {
    const before = await usabilityMismatches(session);
    const other = await inSession(run, endpoint, async (second) => [
      ...startMismatches(second),
      ...(await usabilityMismatches(second)),
      ...(await usabilityMismatches(session)),
      ...(await usabilityMismatches(second)),
    ]);
    return [...before, ...other, ...(await usabilityMismatches(session))];
  });
}

const kindOfId = fc.constantFrom('number', 'large', 'negative', 'text', 'digits', 'long', 'uuid');
const BEYOND_32_BITS = 2 ** 32;

/** Responses have the id of their request, string or number, also for concurrent requests. */
function checkRequestIds(run: Run, endpoint: Endpoint): Promise<void> {
  return inSession(run, endpoint, async (session) => {
    if (session.started.message === undefined) return;
    let used = 1000;
    const idOf = {
      number: () => (used += 1),
      large: () => BEYOND_32_BITS + (used += 1),
      negative: () => -(used += 1),
      text: () => `ping-${(used += 1)}`,
      digits: () => String((used += 1)),
      long: () => `ping-${'x'.repeat(100)}-${(used += 1)}`,
      uuid: () => `00000000-0000-4000-8000-${String((used += 1)).padStart(12, '0')}`,
    };
    await run.forAll(
      { kinds: fc.noShrink(fc.array(kindOfId, { minLength: 1, maxLength: 5 })) },
      async ({ kinds }) => {
        const pinged = await Promise.all(kinds.map((kind) => pingMismatches(session, undefined, idOf[kind]())));
        return pinged.flat();
      },
      {
        runs: Math.ceil(run.runs / 20),
        examples: [{ kinds: ['number', 'large', 'negative', 'text', 'digits', 'long', 'uuid'] }],
      },
    );
  });
}
