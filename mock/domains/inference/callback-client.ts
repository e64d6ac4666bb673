/** Posts callbacks, only to loopback and to the world file's callbackOrigins. */
import { createHmac } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request as send } from 'undici';
import { isLoopback } from '../../http/loopback.ts';
import type { Instant } from '../../time/clock.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { AsyncRequest, Attempt } from '../../state/inference.ts';

/** In real time, because the receiver is not part of the world. */
const TIMEOUT_MS = 10_000;

export interface CallbackClient {
  /** Never rejects: the attempt contains the error. */
  post(world: WorldState, request: AsyncRequest, at: Instant): Promise<Attempt>;
  /** Aborts running requests. */
  close(): void;
}

/** Why a URL is refused; undefined if it is allowed. */
export function refusalOf(url: string, origins: readonly string[]): string | undefined {
  if (!URL.canParse(url)) return `callbackUrl ${JSON.stringify(url)} is not a URL`;
  const { protocol, hostname, origin } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return `callbackUrl is of ${protocol} allowed: http:, https:`;
  if (isLoopback(hostname) || origins.includes(origin)) return undefined;
  return `${origin} is neither loopback nor among the world file's callbackOrigins`;
}

/** Hexadecimal HMAC-SHA256 of the timestamp, a dot and the body. */
function signatureOf(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

export function createCallbackClient(): CallbackClient {
  const dispatcher = new Agent({ connect: { lookup: loopbackFirst } });
  const post = async (world: WorldState, request: AsyncRequest, at: Instant): Promise<Attempt> => {
    const body = JSON.stringify(payloadOf(request));
    const sentAt = String(Math.floor(at / 1000));
    const signature = signatureOf(request.callback?.secret ?? '', sentAt, body);
    try {
      const { statusCode, body: responseBody } = await send(request.callback?.url ?? '', {
        method: 'POST',
        body,
        headers: headersOf(world, request, sentAt, signature),
        dispatcher,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      });
      await responseBody.dump();
      return { at, status: statusCode, signature };
    } catch (error) {
      return { at, error: reasonOf(error as Error & { code?: string }), signature };
    }
  };
  return { post, close: () => void dispatcher.destroy() };
}

function payloadOf({ id, workspace, agent, trigger, acceptedAt, completesAt, outcome }: AsyncRequest): object {
  return {
    requestId: id,
    workspace,
    agent,
    trigger,
    status: outcome.status < 300 ? 'succeeded' : 'failed',
    statusCode: outcome.status,
    body: outcome.body,
    acceptedAt: new Date(acceptedAt).toISOString(),
    completedAt: new Date(completesAt).toISOString(),
  };
}

function headersOf({ brand }: WorldState, { id, attempts }: AsyncRequest, timestamp: string, signature: string) {
  const branded = (name: string) => `X-${brand}-${name}`;
  return {
    'content-type': 'application/json',
    [branded('Request-Id')]: id,
    [branded('Attempt')]: String(attempts.length + 1),
    [branded('Timestamp')]: timestamp,
    [branded('Signature')]: signature,
  };
}

function reasonOf({ code, message, name }: Error & { code?: string }): string {
  return message || code || name;
}

/** Not every system resolves names below .localhost to loopback (RFC 6761 6.3). */
const loopbackFirst: LookupFunction = (hostname, options, found) => {
  if (!isLoopback(hostname)) return systemLookup(hostname, options, found);
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  if (options.all === true) found(null, addresses);
  else found(null, '127.0.0.1', 4);
};
