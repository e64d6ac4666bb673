/** The response to a request that the reader sent. */
import { escapeInvisible, prettyJson } from '../format.ts';
import type { ResponseView } from './read-response.ts';

export function SentResponse({ response }: { response: ResponseView }) {
  const { status, headers, text, isTruncated, hasEnded, tookMs, isHiddenRedirect } = response;
  if (isHiddenRedirect)
    return (
      <p class="notice">A redirect. Browsers hide its status and address from pages; the curl command shows them.</p>
    );
  return (
    <section class="sent" aria-label="Response">
      <p role="status">
        <b class={`code ${status < 400 ? 'good' : status < 500 ? 'refused' : 'bad'}`}>{status}</b>{' '}
        <span class="soft">
          {Math.round(tookMs)} ms{!hasEnded && ', receiving'}
        </span>
      </p>
      <pre class="headers" tabIndex={0} role="region" aria-label="Headers of the response">
        {headers.map(([name, value]) => `${name}: ${escapeInvisible(value)}`).join('\n')}
      </pre>
      {text !== '' && (
        <pre tabIndex={0} role="region" aria-label="Body of the response">
          {hasEnded && !isTruncated ? prettyJson(text) : escapeInvisible(text)}
        </pre>
      )}
      {isTruncated && <p class="soft">Truncated: the page shows only the beginning.</p>}
    </section>
  );
}
