/** A journal entry as `/_mock/requests` returns it: secrets redacted, and the reason of an error. */
import { timestamp } from '../../time/clock.ts';
import type { BodyView, EntryView } from './views.ts';
import type { JournalEntry } from '../../pipeline/journal.ts';
import { MAX_BODY_CHARACTERS, textOf } from '../../pipeline/journal-bodies.ts';
import { isSecretName, REDACTED, redactSecrets } from './redact.ts';
import { splitUrl } from './split-url.ts';

export function entryView({
  number,
  at,
  method,
  url,
  headers,
  operation,
  status,
  fault,
  script,
  replayed,
  bodies,
}: JournalEntry): EntryView {
  const { path, query } = splitUrl(url);
  const reason = reasonOf({ status, bodies });
  return {
    number,
    time: timestamp(at),
    method,
    path,
    query: [...new URLSearchParams(query)].map(withoutSecret),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => withoutSecret([name, String(value)]))),
    body: bodyView(textOf(bodies.request), headers['content-type']),
    operation: operation ?? null,
    status: status ?? null,
    answer: bodyView(textOf(bodies.response)),
    ...(reason !== undefined && { reason }),
    ...(fault !== undefined && { fault }),
    ...(script !== undefined && { script }),
    ...(replayed && { replayed }),
  };
}

function withoutSecret([name, value]: [string, string]): [string, string] {
  return [name, isSecretName(name) ? REDACTED : value];
}

function bodyView(text = '', type?: string): BodyView | null {
  if (text === '') return null;
  const cut = text.length > MAX_BODY_CHARACTERS;
  return { text: redactSecrets(text.slice(0, MAX_BODY_CHARACTERS), type), cut };
}

/** Undefined unless the response is an error with a message. */
export function reasonOf({
  status = 0,
  bodies,
}: Pick<JournalEntry, 'bodies'> & { readonly status?: number | undefined }): string | undefined {
  return status >= 400 ? reasonIn(textOf(bodies.response)) : undefined;
}

/** The message of an error body, in the format of any surface. */
function reasonIn(body = ''): string | undefined {
  let error: { message?: unknown; error_description?: unknown; error?: unknown } | null;
  try {
    error = JSON.parse(body) as typeof error;
  } catch {
    return undefined; // Not JSON, such as a response that a fault rule cut.
  }
  const inner = error?.error as { message?: unknown } | null | undefined;
  return [error?.message, error?.error_description, inner?.message, error?.error].find(
    (each) => typeof each === 'string',
  );
}
