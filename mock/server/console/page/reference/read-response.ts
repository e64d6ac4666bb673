/** Sends a request and reports its response as it arrives. */
import type { RepeatedRequest } from '../../../../../spec/curl.ts';

export interface ResponseView {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** What has arrived, up to MAX_CHARACTERS. */
  readonly text: string;
  readonly isTruncated: boolean;
  /** False while the body still arrives. */
  readonly hasEnded: boolean;
  /** Milliseconds until the headers arrived. */
  readonly tookMs: number;
  /** A browser hides redirects to pages: neither status nor headers are known. */
  readonly isHiddenRedirect: boolean;
}

const MAX_CHARACTERS = 200_000;

/** Yields a view whenever something has arrived. Throws TypeError if there is no response, and AbortError after `signal`. */
export async function* sendAndRead(request: RepeatedRequest, signal: AbortSignal): AsyncGenerator<ResponseView> {
  const { method, url, headers, body } = request;
  const start = performance.now();
  const response = await fetch(url, {
    method,
    headers: headers as Record<string, string>,
    ...(body !== undefined && { body }),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'manual',
    signal,
  });
  let view: ResponseView = {
    status: response.status,
    headers: [...response.headers],
    text: '',
    isTruncated: false,
    hasEnded: false,
    tookMs: performance.now() - start,
    isHiddenRedirect: response.type === 'opaqueredirect',
  };
  yield view;
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const text = view.text + chunk;
    view = { ...view, text: text.slice(0, MAX_CHARACTERS), isTruncated: text.length > MAX_CHARACTERS };
    yield view;
    if (view.isTruncated) break;
  }
  yield { ...view, hasEnded: true };
}
