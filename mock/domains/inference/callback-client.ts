/** Posts callbacks to the addresses that the policy allows; redirects are not followed. */
import { createHmac } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { Agent, request as send } from 'undici';
import type { Instant } from '../../time/clock.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { AsyncRequest, Attempt } from '../../state/inference.ts';
import { callbackBody } from './callback-body.ts';
import { allowedAddresses, policyOf } from './callback-policy.ts';

/** In real time, because the receiver is not part of the world. */
const TIMEOUT_MS = 10_000;
const MAX_NAMES = 1000;

export interface CallbackClient {
  /** Never rejects: the attempt contains the error. */
  post(world: WorldState, request: AsyncRequest, at: Instant): Promise<Attempt>;
  /** Aborts running requests. */
  close(): void;
}

/** Hexadecimal HMAC-SHA256 of the timestamp, a dot and the body. */
function signatureOf(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

export function createCallbackClient(): CallbackClient {
  /** By host name, as they were when the policy was checked: a name must not resolve to something else afterwards. */
  const checked = new Map<string, { address: string; family: number }[]>();
  const lookup: LookupFunction = (hostname, options, found) => {
    const [first, ...others] = checked.get(hostname) ?? [];
    if (first === undefined) found(new Error(`${hostname} was not resolved.`), []);
    else if (options.all === true) found(null, [first, ...others]);
    else found(null, first.address, first.family);
  };
  const dispatcher = new Agent({ connect: { lookup } });
  const post = async (world: WorldState, request: AsyncRequest, at: Instant): Promise<Attempt> => {
    const body = JSON.stringify(callbackBody(request));
    const sentAt = String(Math.floor(at / 1000));
    const signature = signatureOf(request.callback?.secret ?? '', sentAt, body);
    const { url = '', isForeign } = request.callback ?? {};
    try {
      const addresses = await allowedAddresses(url, policyOf(world, isForeign));
      if (checked.size >= MAX_NAMES) checked.clear();
      checked.set(new URL(url).hostname, addresses);
      const { statusCode, body: responseBody } = await send(url, {
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
