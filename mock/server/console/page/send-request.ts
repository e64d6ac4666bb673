/** Sends requests to the page's own `/_mock`, with the control token if there is one. */

const KEY = 'assay-control-token';

/** `/_mock/` of the world whose page this is. */
export const control = new URL('.', location.href);
/** The management API of the same world, as the target's admin, without entries in the journal. */
export const management = new URL('api/v0/', control);

/** An error response of the mock, with its message. */
export class ErrorResponse extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Stores the control token for this tab until it is closed. */
export function rememberToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

/** Whether the mock requires a control token: then this tab has one. */
export const hasControlToken = (): boolean => sessionStorage.getItem(KEY) !== null;

/** Sends `body` as JSON. Throws ErrorResponse if the status is not 2xx. */
export async function requestJson<Body>(path: string, method = 'GET', body?: unknown): Promise<Body> {
  const content = body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' };
  const response = await send(new URL(path, control), { method, ...content });
  return (await response.json()) as Body;
}

export interface RequestOptions {
  readonly method?: string;
  readonly body?: BodyInit;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export async function send(
  url: URL,
  { method = 'GET', type, headers = {}, ...rest }: RequestOptions = {},
): Promise<Response> {
  const token = sessionStorage.getItem(KEY);
  const response = await fetch(url, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...rest,
  });
  if (!response.ok) throw new ErrorResponse(response.status, await errorMessage(response));
  return response;
}

async function errorMessage(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { message, error } = JSON.parse(text) as { message?: string; error?: string };
    return message ?? error ?? text;
  } catch {
    return `${response.status}: ${text}`;
  }
}
