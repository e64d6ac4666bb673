/** How an entry of the journal is printed: credentials left out, bodies as text, and for a refusal its reason. */
import { timestamp } from '../../time/clock.ts';
import type { ShownBody, ShownEntry } from './forms.ts';
import { BODY_KEPT, type Entry } from '../../pipeline/journal.ts';
import { isSecretName, LEFT_OUT, withoutSecrets } from './left-out.ts';
import { splitUrl } from './split-url.ts';

export function shownEntry({
  number,
  at,
  method,
  url,
  headers,
  operation,
  status,
  fault,
  ...bodies
}: Entry): ShownEntry {
  const { path, query } = splitUrl(url);
  const reason = status !== undefined && status >= 400 ? reasonIn(bodies.answered) : undefined;
  return {
    number,
    time: timestamp(at),
    method,
    path,
    query: [...new URLSearchParams(query)].map(withoutSecret),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => withoutSecret([name, String(value)]))),
    body: shownBody(bodies.asked, headers['content-type']),
    operation: operation ?? null,
    status: status ?? null,
    answer: shownBody(bodies.answered),
    ...(reason !== undefined && { reason }),
    ...(fault !== undefined && { fault }),
  };
}

function withoutSecret([name, value]: [string, string]): [string, string] {
  return [name, isSecretName(name) ? LEFT_OUT : value];
}

function shownBody(text = '', type?: string): ShownBody | null {
  if (text === '') return null;
  const cut = text.length > BODY_KEPT;
  return { text: withoutSecrets(text.slice(0, BODY_KEPT), type), cut };
}

/** Wherever the surfaces put it: beside `error`, in it, or in OAuth's own member. */
function reasonIn(body = ''): string | undefined {
  let said: { message?: unknown; error_description?: unknown; error?: unknown } | null;
  try {
    said = JSON.parse(body) as typeof said;
  } catch {
    return undefined; // Half an answer, as a fault rule asks, gives no reason.
  }
  const inner = said?.error as { message?: unknown } | null | undefined;
  return [said?.message, said?.error_description, inner?.message, said?.error].find((each) => typeof each === 'string');
}
