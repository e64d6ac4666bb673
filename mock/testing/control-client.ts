/** Sends requests to a mock's `/_mock` and management API; returns status and body. */
export interface ControlResponse {
  readonly status: number;
  readonly body: never;
}

/** `host` is the address of a world: a mock's `addresses.host`. */
export function callControl(host: string, method: string, path: string, body?: unknown): Promise<ControlResponse> {
  return sendJson(`${host}/_mock${path}`, method, body);
}

/** For what a test needs of the mock. Throws if the mock refuses it. */
export async function changeMock(host: string, method: string, path: string, body?: unknown): Promise<void> {
  const { status, body: refusal } = await callControl(host, method, path, body);
  if (status >= 400) throw new Error(`${method} /_mock${path} got ${status}: ${JSON.stringify(refusal)}`);
}

export function callManagement(
  host: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<ControlResponse> {
  return sendJson(`${host}/v0${path}`, method, body, { authorization: `Bearer ${token}` });
}

async function sendJson(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ControlResponse> {
  const sent = body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body);
  const type: Record<string, string> = sent === null ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers: { ...type, ...headers }, body: sent });
  return { status: response.status, body: (await response.json()) as never };
}
