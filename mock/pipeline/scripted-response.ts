/** Scripted responses of `/_mock/responses`: a match and a sequence of responses. */
import { Readable } from 'node:stream';
import { STATUS_CODES } from '../http/required.ts';
import { Problem } from '../http/problems.ts';
import type { Reply } from '../http/reply.ts';
import { createRandom, type Random } from '../time/random.ts';
import { matchesRequest, type ReceivedRequest } from './request-match.ts';
import type { ResponseScript, ScriptedResponse } from './rule-formats.ts';

export interface Script {
  readonly index: number;
  readonly rule: ScriptedResponse;
  readonly random: Random;
  /** Number of requests that got one of its responses. */
  used: number;
}

export type Scripts = readonly Script[];

/** Each script has its own generator. */
export function createScripts(rules: readonly ScriptedResponse[], seed: number): Scripts {
  return rules.map((rule, index) => ({
    index,
    rule,
    random: createRandom(createRandom(~seed - index).next()),
    used: 0,
  }));
}

export interface ScriptTurn {
  readonly script: Script;
  readonly response: ResponseScript;
}

/** The response of the first script that matches and is not used up; undefined if there is none. */
export async function nextResponse(scripts: Scripts, ctx: ReceivedRequest): Promise<ScriptTurn | undefined> {
  for (const script of scripts) {
    const { match = {}, sequence, afterwards = 'last' } = script.rule;
    const isUsedUp = () => afterwards === 'operation' && script.used >= sequence.length;
    // Again after the match, which waits for the body: another request may have used the last response.
    if (isUsedUp() || !(await matchesRequest(ctx, match)) || isUsedUp()) continue;
    const turn = script.used++;
    const at = afterwards === 'restart' ? turn % sequence.length : Math.min(turn, sequence.length - 1);
    const next = sequence[at];
    if (next !== undefined) return { script, response: next };
  }
  return undefined;
}

/** Throws a problem for an error without a body, so that it has the error format of the request's surface. */
export function scriptedReply({ status = 200, headers = {}, body }: ResponseScript, by: string): Reply {
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (body === undefined && status >= 400) throw scriptedProblem(status, lowered, by);
  if (body !== undefined && typeof body !== 'string') return withoutBody({ status, headers: lowered, body });
  const type = body === undefined ? '' : 'text/plain; charset=utf-8';
  return withoutBody({ status, headers: { 'content-type': type, ...lowered }, body: body ?? '' });
}

/** Responses of status 204, 205 and 304 have no body (RFC 9110 6.4.1 and 15.3.6). */
export function withoutBody(reply: Reply): Reply {
  if (![204, 205, 304].includes(reply.status)) return reply;
  if (reply.body instanceof Readable) reply.body.destroy();
  return { ...reply, headers: { ...reply.headers, 'content-type': '' }, body: '' };
}

/** `by`: what injected it, for the message. */
export function scriptedProblem(status: number, headers: Readonly<Record<string, string>>, by: string): Problem {
  const phrase = STATUS_CODES[status] ?? 'Error';
  const kind = phrase.toLowerCase().replaceAll(/[^a-z]+/g, '_');
  return new Problem(status, kind, `${phrase}: injected by ${by}.`, headers);
}
