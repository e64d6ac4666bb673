/** For tests: what a rule says about exchanges, one after the other. */
import type { Surface } from '../../spec/openapi-document.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import { openJudgeBook } from '../judge/judge-book.ts';
import { seenOf, type Facts, type Part } from '../judge/seen.ts';
import type { Exchange } from '../target/exchange.ts';

export interface Described {
  /** Defaults to management. */
  readonly surface?: Surface;
  /** Defaults to GET. */
  readonly method?: string;
  /** Below the address of the surface, such as /accounts. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The variable of a credential. Null: none. Defaults to that of the member. */
  readonly credential?: string | null;
  /** The body, as JSON. */
  readonly sent?: unknown;
  /** In place of `sent`, as it is. */
  readonly sentText?: string;
  /** Defaults to 200. */
  readonly status?: number;
  readonly received?: unknown;
  /** In place of `received`, as it is. */
  readonly text?: string;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** In milliseconds. Defaults to a second after the one before. Undefined: neither the recording nor a Date header says. */
  readonly sentAt?: number | undefined;
  readonly isConcurrent?: boolean;
  readonly isCut?: true;
  /** What the recording lacks. */
  readonly unknown?: readonly Part[];
}

const secret = (name: string) => ({ name, value: `secret-of-${name}` });

const facts: Facts = {
  addresses: {
    management: 'https://api.example/v0',
    host: 'https://api.example',
    inference: 'https://run.example',
    sandbox: 'https://sbx.example',
  },
  brand: 'Svc',
  credentials: { admin: secret('SVC_ADMIN_TOKEN'), member: secret('SVC_MEMBER_TOKEN'), scoped: {} },
};

/**
 * What the rule says about each exchange of a recording. The suite file of the rule must be loaded. `known`: what else is known
 * about the deployment.
 */
export function judgeExchanges(
  rule: MustId,
  recording: readonly Described[],
  known: Partial<Facts> = {},
): ('breaks' | 'keeps' | 'says nothing')[] {
  const book = openJudgeBook({ ...facts, ...known }, rule);
  const judgedCount = (): number => book.findings().get(rule)!.judged;
  return recording.map((described, index) => {
    const before = judgedCount();
    const exchange = { sentAt: index * 1000, ...exchangeOf(described) };
    const seen = seenOf(exchange, { ...facts, ...known }, new Set(described.unknown));
    if (seen === undefined) throw new Error(`No operation: ${described.url}`);
    if (book.see(seen).has(rule)) return 'breaks';
    return judgedCount() > before ? 'keeps' : 'says nothing';
  });
}

function exchangeOf(described: Described): Exchange {
  const { surface = 'management', method = 'GET', url, sent, status = 200, received } = described;
  const { credential = 'SVC_MEMBER_TOKEN', headers = {} } = described;
  const { sentText = JSON.stringify(sent), text = JSON.stringify(received) ?? '' } = described;
  const time = 'sentAt' in described ? described.sentAt : Date.now();
  const hasCredential = Object.keys(headers).some((name) => /authorization$/i.test(name));
  return {
    surface,
    ...(credential !== null && { credential }),
    request: {
      method,
      url: `${facts.addresses[surface]}${url}`,
      headers: {
        ...(credential !== null && !hasCredential && { authorization: `Bearer $${credential}` }),
        'Content-Type': 'application/json',
        ...headers,
      },
      ...(sentText !== undefined && { body: sentText }),
    },
    response: {
      status,
      headers: {
        'content-type': 'application/json',
        ...(time !== undefined && { date: new Date(time).toUTCString() }),
        ...described.responseHeaders,
      },
      text,
      ...(described.isCut === true && { isCut: true }),
      json: received,
    },
    shape: [],
    ...('sentAt' in described && { sentAt: described.sentAt }),
    durationMs: 100,
    ...(described.isConcurrent === true && { isConcurrent: true }),
    repeatedAfter: [],
  };
}
