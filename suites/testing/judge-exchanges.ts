/** For tests: what a rule says about exchanges, one after the other. */
import type { MustId } from '../../spec/requirements/index.ts';
import { judgements, type Judged } from '../judge/judgement.ts';
import { seenOf, type Facts, type Recorded } from '../judge/seen.ts';
import { testTarget } from './test-run.ts';

export interface Given {
  /** Defaults to GET. */
  readonly method?: string;
  /** Below the host, such as /v0/accounts. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sent?: string;
  /** The variable name of the credential. */
  readonly credential?: string;
  /** Defaults to 200. */
  readonly status?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const HOST = 'http://a.example';

/** `valid`, `violated` or undefined for each exchange. The suite file of the rule must be imported. */
export function judgeExchanges(
  rule: MustId,
  given: readonly Given[],
  recorded: Recorded = {},
  credentials: Partial<Facts['credentials']> = {},
): (string | undefined)[] {
  const target = testTarget({ address: HOST });
  const facts: Facts = { ...target, credentials: { ...target.credentials, ...credentials } };
  const judge = judgements.get(rule)!.begin(facts);
  return given.map((each) => verdictOf(judge(seenOf(exchangeOf(each), facts, recorded)!)));
}

function verdictOf(judged: Judged): string | undefined {
  if (judged === undefined) return undefined;
  return judged.length === 0 ? 'valid' : 'violated';
}

function exchangeOf({ method = 'GET', path, headers = {}, sent, credential, status = 200, ...response }: Given) {
  const { responseHeaders = {}, body } = response;
  return {
    surface: path.startsWith('/v0/')
      ? ('management' as const)
      : path.startsWith('/demo/')
        ? ('inference' as const)
        : ('host' as const),
    ...(credential !== undefined && { credential }),
    request: { method, url: HOST + path, headers: { ...headers }, ...(sent !== undefined && { body: sent }) },
    response: { status, headers: { ...responseHeaders }, text: JSON.stringify(body) ?? '', json: body },
    shape: [],
    durationMs: 1,
    attempts: 1,
  };
}
