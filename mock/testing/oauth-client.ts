/** Sends OAuth requests to a running mock, as tests do. */
import { startMock, type MockOptions, type RunningMock } from '../start-mock.ts';

export const NOW = Date.parse('2026-11-21T07:00:00Z');
export const CALLBACK = 'http://127.0.0.1:8765/callback';
/** The default world's client, and its secret. */
export const CLIENT = { client_id: 'demo-client', client_secret: 'demo-secret' } as const;

/** The default world with a frozen clock. */
export function startFrozen(options: MockOptions = {}): Promise<RunningMock> {
  return startMock({ now: NOW, clock: 'frozen', ...options });
}

export interface OAuthResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** Posts a form, below the host's address. */
export async function post(
  { addresses }: RunningMock,
  path: string,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<OAuthResponse> {
  const body = new URLSearchParams(fields as Record<string, string>);
  return readResponse(await fetch(`${addresses.host}${path}`, { method: 'POST', body, headers, redirect: 'manual' }));
}

export async function readResponse(response: Response): Promise<OAuthResponse> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
}

export function requestToken(
  mock: RunningMock,
  fields: Fields,
  headers?: Record<string, string>,
): Promise<OAuthResponse> {
  return post(mock, '/oauth/token', fields, headers);
}

export function basic(id: string, secret: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

/** The authorization request of the default world's client, with what differs; approved at once. */
export function authorizationRequest(differs: Record<string, string | undefined> = {}): URLSearchParams {
  const usual = {
    response_type: 'code',
    client_id: 'demo-client',
    redirect_uri: CALLBACK,
    state: 'xyz',
    prompt: 'none',
  };
  const fields = Object.entries({ ...usual, ...differs });
  return new URLSearchParams(fields.filter((field): field is [string, string] => field[1] !== undefined));
}

export function getAuthorize({ addresses }: RunningMock, query: URLSearchParams, accept = '*/*'): Promise<Response> {
  return fetch(`${addresses.host}/oauth/authorize?${query.toString()}`, { redirect: 'manual', headers: { accept } });
}

/** The redirect target of a response. */
export function locationOf(response: { readonly headers: Headers }): URL {
  return new URL(response.headers.get('location') ?? 'about:blank');
}

/** Throws if the request does not yield a code. */
export async function newCode(mock: RunningMock, differs: Record<string, string | undefined> = {}): Promise<string> {
  const code = locationOf(await getAuthorize(mock, authorizationRequest(differs))).searchParams.get('code');
  if (code === null) throw new Error('No code was issued.');
  return code;
}

/** The token response for a new code. */
export async function newTokens(mock: RunningMock): Promise<{ access_token: string; refresh_token: string }> {
  const code = await newCode(mock);
  const { body } = await requestToken(mock, {
    ...CLIENT,
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
  });
  return body as { access_token: string; refresh_token: string };
}

/** The status of a management call with that token. */
export async function statusOf({ addresses }: RunningMock, token: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${String(token)}` };
  const response = await fetch(`${addresses.management}/agents/demo-agent`, { headers });
  await response.arrayBuffer();
  return response.status;
}
