/** Repeats requests with a new token while they get 401: a target may not know a token everywhere as soon as it issues it. */
import { fieldsOf } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import type { Head } from './retry-delay.ts';

interface Request {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

interface Response extends Head {
  readonly text: string;
}

export interface LateTokens {
  send<R extends Response>(request: Request, sendOnce: () => Promise<R>): Promise<R>;
}

/** After this time a token that is refused is invalid. */
const MAX_SECONDS = 10;
const PAUSE_SECONDS = 0.5;

/** `wait` rejects if the run is interrupted. */
export function createLateTokens(wait: (seconds: number) => Promise<void>, maxSeconds = MAX_SECONDS): LateTokens {
  /** By client the newest one, because it may have revoked those before. */
  const newest = new Map<string, { readonly token: string; readonly endMs: number }>();

  function note({ headers, body }: Request, { status, text }: Response): void {
    const { access_token: token } = (status === 200 && fieldsOf(jsonIn(text))) || {};
    if (typeof token !== 'string' || token === '') return;
    const client = `${String(headers['Authorization'])} ${new URLSearchParams(String(body)).get('client_id')}`;
    newest.set(client, { token, endMs: performance.now() + maxSeconds * 1000 });
  }

  const mayBeLate = ({ headers }: Request): boolean => {
    const lines = Object.values(headers).flat();
    return [...newest.values()].some(
      ({ token, endMs }) => performance.now() < endMs && lines.some((line) => line.endsWith(` ${token}`)),
    );
  };

  return {
    async send(request, sendOnce) {
      let response = await sendOnce();
      if (isTokenRequest(request)) note(request, response);
      while (response.status === 401 && mayBeLate(request)) {
        await wait(PAUSE_SECONDS);
        response = await sendOnce();
      }
      return response;
    },
  };
}

const isTokenRequest = ({ method, body }: Request): boolean =>
  method === 'POST' && typeof body === 'string' && body.includes('grant_type=');
