/**
 * Which eras of MCP a server supports (MCP 2026-07-28, Versioning): legacy versions begin with `initialize`, modern ones have
 * requests that stand alone.
 */
import type { Run } from '../../engine/conforms.ts';
import { sessionStarts } from './session-starts.ts';
import { sharedValues } from '../../engine/shared-values.ts';
import { formatValue } from '../../expect/format-value.ts';
import { fieldsOf } from '../../json/fields.ts';
import { eventually, isAwake } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import type { Endpoint } from './endpoints.ts';
import { errorCodeIn } from './messages.ts';
import { MODERN_VERSION, modernInput, sendModern } from './modern.ts';
import { request } from './post.ts';
import type { McpResponse } from './post.ts';

export interface Eras {
  /** The response to `initialize`. */
  readonly initialized: McpResponse;
  readonly isLegacy: boolean;
  /** The response to `server/discover`. */
  readonly discovered: McpResponse;
  /** Also true if the server accepts the version and does not support `server/discover`. */
  readonly isModern: boolean;
}

/** Of the streamable HTTP transport, the newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** No server supports it. */
export const UNKNOWN_VERSION = '1999-12-31';

const firstProbes = sharedValues<Eras>();
const erasOfServers = sharedValues<Eras>();

export const keyOf = ({ post, path }: Endpoint): string => `${post} ${JSON.stringify(path)}`;

/** Found out once per run. Waits for a server that is starting. */
export function erasOf(run: Run, endpoint: Endpoint): Promise<Eras> {
  return erasOfServers.get(run, keyOf(endpoint), async () => {
    let last = await currentEras(run, endpoint);
    let sameCount = 1;
    const probeAgain = async (): Promise<Eras> => {
      const eras = await probe(run, endpoint, last);
      sameCount = statusesOf(eras) === statusesOf(last) ? sameCount + 1 : 1;
      return (last = eras);
    };
    const isKnown = (eras: Eras): boolean => isDecided(eras) || (sameCount >= SAME_COUNT && isUsable(eras));
    return isKnown(last) ? last : eventually(probeAgain, isKnown, run.patienceSeconds);
  });
}

/** So often in a row, for a second, the same status of a server that runs is its decision. */
const SAME_COUNT = 4;

const statusesOf = ({ initialized, discovered }: Eras): string =>
  `${initialized.exchange.response.status} ${discovered.exchange.response.status}`;

/** From the first probe only, without waiting for a server that starts. */
const currentEras = (run: Run, endpoint: Endpoint): Promise<Eras> =>
  firstProbes.get(run, keyOf(endpoint), () => probe(run, endpoint));

/** An era that the server supported before is not tried again. */
async function probe(run: Run, endpoint: Endpoint, before?: Eras): Promise<Eras> {
  const initialized = before?.isLegacy === true ? before.initialized : await initialize(run, endpoint);
  const isLegacy = isStarted(initialized);
  if (before?.isModern === true) return { ...before, initialized, isLegacy };
  const discovered = await discover(run, endpoint);
  const isModern = discovers(discovered) ?? (await acceptsVersion(run, endpoint, discovered));
  return { initialized, isLegacy, discovered, isModern };
}

/** A session that begins is ended. */
async function initialize(run: Run, endpoint: Endpoint): Promise<McpResponse> {
  const { start } = await sessionStarts(run);
  const initialized = await start(() => request({ run, endpoint, headers: {} }, 0, initializeMessage()));
  const headers = sessionHeaders(initialized);
  if (headers['Mcp-Session-Id'] !== undefined) await run.client.call(endpoint.delete, { path: endpoint.path, headers });
  return initialized;
}

export const discover = (run: Run, endpoint: Endpoint): Promise<McpResponse> =>
  sendModern(run, endpoint, modernInput('discover', 'server/discover'));

export function initializeMessage(offered: string = legacyVersions[0]): object {
  const params = { protocolVersion: offered, capabilities: {}, clientInfo: { name: 'assay', version: '1.0.0' } };
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params };
}

/** Whether `initialize` succeeded. */
export const isStarted = ({ message }: McpResponse): boolean =>
  message?.error === undefined && fieldsOf(message?.result) !== undefined;

/** What a server, or a gateway in front of it, may respond while it starts, or is deployed (decision 043). 5xx as well. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([404, 408, 409, 423, 425, 429]);

const mayBeTemporary = ({ response: { status, headers } }: Exchange): boolean =>
  TEMPORARY_STATUSES.has(status) || (status >= 500 && status !== 501) || headers['retry-after'] !== undefined;

/** Whether the server runs and has decided: a JSON-RPC error is as final as a result, and so are most other refusals. */
export const isFinal = ({ exchange, message }: McpResponse): boolean =>
  isAwake(exchange) &&
  (message !== undefined || errorCodeIn(exchange.response) !== undefined || !mayBeTemporary(exchange));

/** The version that the server chose. */
export function versionIn({ message }: McpResponse): string | undefined {
  const version = fieldsOf(message?.result)?.['protocolVersion'];
  return typeof version === 'string' ? version : undefined;
}

/** The headers of every message after `initialize`. */
export const sessionHeaders = (initialized: McpResponse): HeaderInput => ({
  'Mcp-Session-Id': initialized.exchange.response.headers['mcp-session-id'],
  'MCP-Protocol-Version': versionIn(initialized),
});

/** A server may still be starting when it supports only one of both eras, or refuses `initialize`. */
const isDecided = ({ initialized, isLegacy, discovered, isModern }: Eras): boolean =>
  (isLegacy || isFinal(initialized)) && (isModern || isFinal(discovered));

/** Whether the server, not only a gateway in front of it, has responded. */
const isUsable = ({ initialized, isLegacy, discovered, isModern }: Eras): boolean =>
  isLegacy || isModern || (isFinal(initialized) && isAwake(discovered.exchange));

/** Codes that only a modern server sends (MCP 2026-07-28, Error Codes). */
export const HEADER_MISMATCH = -32_020;
export const UNSUPPORTED_VERSION = -32_022;
export const modernCodes: readonly unknown[] = [HEADER_MISMATCH, -32_021, UNSUPPORTED_VERSION];

/** The versions that a server lists when it refuses one. */
export function supportedIn({ message }: McpResponse): readonly unknown[] | undefined {
  const { code, data } = fieldsOf(message?.error) ?? {};
  const supported = fieldsOf(data)?.['supported'];
  return code === UNSUPPORTED_VERSION && Array.isArray(supported) ? (supported as unknown[]) : undefined;
}

/** Undefined if the response to `server/discover` is no answer. */
function discovers(response: McpResponse): boolean | undefined {
  const { exchange, message } = response;
  if (message?.result !== undefined) return true;
  const supported = supportedIn(response);
  if (supported !== undefined) return supported.includes(MODERN_VERSION);
  return modernCodes.includes(errorCodeIn(exchange.response)) ? true : undefined;
}

/**
 * Whether the server accepts the version although `server/discover` has no result: it refuses an unknown version, and not
 * for another reason. A server that does not support this one refuses both with 400, unless it need not know the header (MCP
 * 2025-11-25, Protocol Version Header).
 */
async function acceptsVersion(run: Run, endpoint: Endpoint, { exchange, message }: McpResponse): Promise<boolean> {
  if (exchange.response.status === 400 || message === undefined) return false;
  const [unknown, known] = [await plain(UNKNOWN_VERSION), await plain(MODERN_VERSION)];
  return unknown.status === 400 && (known.status !== 400 || errorCodeIn(known) !== errorCodeIn(unknown));

  /** Without what 2026-07-28 adds, so that only the version differs. */
  async function plain(version: string): Promise<Exchange['response']> {
    const id = `version ${version}`;
    const headers = { 'MCP-Protocol-Version': version };
    const sent = { jsonrpc: '2.0', id, method: 'server/discover', params: {} };
    return (await request({ run, endpoint, headers }, id, sent)).exchange.response;
  }
}

/** What is missing if a server supports neither era. */
export function unsupportedEras({ initialized, discovered }: Eras): string {
  const [offered] = legacyVersions;
  return `an MCP server that supports version ${offered} or ${MODERN_VERSION} (initialize: ${outcomeOf(initialized)}; server/discover: ${outcomeOf(discovered)})`;
}

const outcomeOf = ({ exchange, message }: McpResponse): string =>
  message?.error === undefined ? `status ${exchange.response.status}` : `error ${formatValue(message.error, 200)}`;

/** Which eras the server supports, as far as it is known at first. */
export async function firstEras(run: Run, endpoint: Endpoint): Promise<Pick<Eras, 'isLegacy' | 'isModern'>> {
  const { isLegacy, discovered } = await currentEras(run, endpoint);
  return { isLegacy, isModern: isStarted(discovered) };
}

/** Whether the server has only requests that stand alone, as far as it is known at first. */
export async function isOnlyModern(run: Run, endpoint: Endpoint): Promise<boolean> {
  const { isLegacy, isModern } = await firstEras(run, endpoint);
  return isModern && !isLegacy;
}
