/** Sends requests to the page's own `/_mock`, with the control token if there is one. */

const KEY = 'assay-control-token';

/** `/_mock/` of the world whose page this is. */
export const control = new URL('.', location.href);
/** The management API of the same world. */
export const management = new URL('../v0/', control);

/** An error response of the mock, with its message. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Stored for this tab until it is closed. */
export function rememberToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

/** Sends `body` as JSON. Throws Refused for any response but a success. */
export async function ask<Answer>(path: string, method = 'GET', body?: unknown): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' };
  const answer = await send(new URL(path, control), { method, ...sent });
  return (await answer.json()) as Answer;
}

export interface Sending {
  readonly method?: string;
  readonly body?: BodyInit;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export async function send(url: URL, { method = 'GET', type, headers = {}, ...rest }: Sending = {}): Promise<Response> {
  const token = sessionStorage.getItem(KEY);
  const answer = await fetch(url, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...rest,
  });
  if (!answer.ok) throw new Refused(answer.status, await sentenceOf(answer));
  return answer;
}

async function sentenceOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { message, error } = JSON.parse(text) as { message?: string; error?: string };
    return message ?? error ?? text;
  } catch {
    return `${answer.status}: ${text}`;
  }
}
