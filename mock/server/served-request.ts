/** What is reported of a request when its response was sent, without secrets. */
import type { Context } from '../pipeline/context.ts';
import { reasonOf } from './control/entry-view.ts';
import { isSecretName, REDACTED } from './control/redact.ts';
import { splitUrl } from './control/split-url.ts';

export interface ServedRequest {
  readonly method: string;
  /** Path and query as sent; values of secret parameters are redacted. */
  readonly url: string;
  /** Absent if the connection was closed instead. */
  readonly status?: number;
  /** Real time from the arrival of the request to its response. */
  readonly durationMs: number;
  /** Why it was refused, as in the response; only if the status is 400 or more. */
  readonly reason?: string;
}

/** Called for every request, except calls of the control API. */
export type RequestObserver = (request: ServedRequest) => void;

/**
 * Undefined for a call of the control API. `startedAt`: of performance.now().
 * @internal
 */
export function servedRequest({ state: { entry, world } }: Context, startedAt: number): ServedRequest | undefined {
  if (entry === undefined) return undefined;
  const { method, status } = entry;
  const reason = reasonOf(entry);
  return {
    method,
    url: world.mount.path + withoutSecrets(entry.url),
    ...(status !== undefined && { status }),
    durationMs: performance.now() - startedAt,
    ...(reason !== undefined && { reason }),
  };
}

function withoutSecrets(url: string): string {
  const { path, query } = splitUrl(url);
  if (query === '') return path;
  const fields = query.split('&').map((field) => {
    const [name = ''] = field.split('=', 1);
    const [[decoded = ''] = []] = new URLSearchParams(field);
    return isSecretName(decoded) ? `${name}=${REDACTED}` : field;
  });
  return `${path}?${fields.join('&')}`;
}
