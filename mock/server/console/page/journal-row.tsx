/** One request: a line, with the reason of an error, that expands to the request and the response. */
import { useState } from 'preact/hooks';
import type { BodyView, EntryView } from '../../control/views.ts';
import { CopyButton } from './copy-button.tsx';
import { clockTime, prettyJson, escapeInvisible, queryText } from './format.ts';
import { journalCurl } from './journal-curl.ts';
import { control } from './send-request.ts';

export function JournalRow({ entry }: { entry: EntryView }) {
  const [isOpen, setOpen] = useState(false);
  const { number, time, method, path, query, operation, status, reason, fault } = entry;
  return (
    <li>
      <button type="button" class="row" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class={`code ${toneOf(status)}`}>{status ?? 'cut'}</span>
        <span class="request">
          <strong>{method}</strong> <span class="path">{escapeInvisible(path)}</span>
          <Query query={query} />
          {reason !== undefined && <span class="reason">{escapeInvisible(reason)}</span>}
        </span>
        <span class="soft where">
          {operation ?? 'no operation'}
          {fault !== undefined && ` · fault ${fault + 1}`}
        </span>
        <span class="soft when">
          <span class="spoken">number {number}, </span>
          {clockTime(time)}
        </span>
      </button>
      {isOpen && <Details entry={entry} />}
    </li>
  );
}

/** Characters. */
const MAX_QUERY = 120;

function Query({ query }: Pick<EntryView, 'query'>) {
  if (query.length === 0) return null;
  const text = queryText(query);
  const beginning = text.length > MAX_QUERY ? `${text.slice(0, MAX_QUERY)}…` : text;
  return <span class="path soft">{escapeInvisible(beginning)}</span>;
}

function toneOf(status: number | null): string {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'refused' : 'good';
}

const { protocol, host } = location;
const origin = { protocol, host, prefix: control.pathname.replace(/\/_mock\/$/, '') };

function Details({ entry }: { entry: EntryView }) {
  const { number, query, headers, body, answer } = entry;
  return (
    <div class="details exchange">
      <p class="copy">
        <CopyButton label="Copy as curl" text={journalCurl(entry, origin)} what={`request ${number}`} />
      </p>
      <section aria-label={`Request ${number}`}>
        <h2>Request</h2>
        <Pairs name="Query" pairs={query} />
        <Pairs name="Headers" pairs={Object.entries(headers)} />
        <Body name={`Body of request ${number}`} body={body} none="No body." />
      </section>
      <section aria-label={`Response ${number}`}>
        <h2>Response</h2>
        <Body name={`Body of response ${number}`} body={answer} none="No body, or a stream." />
      </section>
    </div>
  );
}

function Pairs({ name, pairs }: { name: string; pairs: readonly (readonly [string, string])[] }) {
  if (pairs.length === 0) return null;
  return (
    <dl class="pairs" aria-label={name}>
      {pairs.map(([key, value], index) => (
        <div key={index}>
          <dt>{escapeInvisible(key)}</dt>
          <dd>{escapeInvisible(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Body({ name, body, none }: { name: string; body: BodyView | null; none: string }) {
  if (body === null) return <p class="soft">{none}</p>;
  return (
    <>
      <pre tabIndex={0} role="region" aria-label={name}>
        {prettyJson(body.text)}
      </pre>
      {body.cut && <p class="soft">Truncated: the journal stores only the beginning of long bodies.</p>}
    </>
  );
}
