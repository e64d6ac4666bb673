/** Judges exchanges that a test describes. */
import { openJudgeBook } from '../judge/judge-book.ts';
import { seenOf, type Facts } from '../judge/seen.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import type { Exchange } from '../target/exchange.ts';

export interface Described {
  readonly surface?: Surface;
  readonly method?: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly sent?: unknown;
  /** In place of `sent`, as it is. */
  readonly sentText?: string;
  readonly status?: number;
  readonly received?: unknown;
  /** In place of `received`, as it is. */
  readonly text?: string;
  readonly responseHeaders?: Record<string, string>;
  /** In milliseconds. Defaults to a second after the one before. */
  readonly sentAt?: number;
}

const facts: Facts = {
  addresses: {
    management: 'https://api.example/v0',
    host: 'https://api.example',
    inference: 'https://run.example',
    sandbox: 'https://sbx.example',
  },
  brand: 'Svc',
  credentials: { member: { name: 'SVC_MEMBER_TOKEN', value: 'member-token' }, scoped: {} },
};

function exchangeOf(described: Described): Exchange {
  const { surface = 'management', method = 'PUT', url, headers = {}, sent, status = 200, received } = described;
  const { sentText = sent === undefined ? undefined : JSON.stringify(sent), text = JSON.stringify(received) ?? '' } =
    described;
  return {
    surface,
    credential: 'SVC_MEMBER_TOKEN',
    request: {
      method,
      url: `${facts.addresses[surface]}${url}`,
      headers: { Authorization: 'Bearer …', 'Content-Type': 'application/json', ...headers },
      ...(sentText !== undefined && { body: sentText }),
    },
    response: {
      status,
      headers: { 'content-type': 'application/json', date: new Date().toUTCString(), ...described.responseHeaders },
      text,
      json: received,
    },
    shape: [],
    durationMs: 100,
    attempts: 1,
  };
}

/** What the rule says about each exchange of a recording, in order. The suite file of the rule must be imported. */
export function judged(rule: MustId, recording: readonly Described[]): ('breaks' | 'keeps' | 'says nothing')[] {
  const book = openJudgeBook(facts);
  return recording.map((described, index) => {
    const before = book.findings().get(rule)?.judged ?? 0;
    const seen = seenOf(exchangeOf(described), facts, { sentAt: described.sentAt ?? index * 1000 });
    if (seen === undefined) throw new Error(`No operation: ${described.url}`);
    if (book.see(seen).has(rule)) return 'breaks';
    return (book.findings().get(rule)?.judged ?? 0) > before ? 'keeps' : 'says nothing';
  });
}
