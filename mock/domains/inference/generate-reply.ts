/** Generates the reply of a workload: a scripted one, or else a sentence derived from seed and prompt. */
import type { ErrorFile, ReplyFile } from '../../../spec/formats/world-file.ts';
import { hashText } from '../../metrics/hash.ts';
import { linearPattern } from '../../http/linear-pattern.ts';
import { Problem } from '../../http/problems.ts';
import type { WorldState } from '../../state/world-state.ts';

export interface Prompt {
  readonly workspace: string;
  /** `agents/<name>` or `models/<name>`. */
  readonly workload: string;
  readonly text: string;
  /** Earlier inputs of the conversation, oldest first. */
  readonly earlier: readonly string[];
}

export interface GeneratedReply {
  readonly text: string;
  /** Whether the world file has its text, body or error. */
  readonly isScripted: boolean;
  /** The scripted body, if there is one. */
  readonly body?: unknown;
  readonly error?: Problem;
  readonly delayMs: number;
  readonly paceMs: number;
}

const MAX_ECHOED = 10_000;
const EARLIER_ECHOED = 5;

/** Counts the use of a scripted reply. */
export function generateReply(world: WorldState, prompt: Prompt): GeneratedReply {
  const index = scriptFor(world, prompt);
  const script = world.replies[index];
  if (script === undefined) return { text: sentence(world.seed, prompt), isScripted: false, delayMs: 0, paceMs: 0 };
  world.inference.repliesGiven[index] = givenCount(world, index) + 1;
  const { reply, body, error, delayMs = 0, paceMs = 0 } = script;
  return {
    text: reply === undefined ? sentence(world.seed, prompt) : filledIn(reply, script, prompt),
    isScripted: (reply ?? body ?? error) !== undefined,
    delayMs,
    paceMs,
    ...(body !== undefined && { body }),
    ...(error !== undefined && { error: problemOf(error) }),
  };
}

/** Counts the uses of scripted replies, as if the prompt had been sent `count` times. */
export function skipReplies(world: WorldState, prompt: Prompt, count: number): void {
  for (let left = count; left > 0;) {
    const index = scriptFor(world, prompt);
    const script = world.replies[index];
    if (script === undefined) return;
    const skipped = Math.min(left, (script.times ?? Infinity) - givenCount(world, index));
    world.inference.repliesGiven[index] = givenCount(world, index) + skipped;
    left -= skipped;
  }
}

/** Index of the first matching reply; -1 if none matches. */
function scriptFor(world: WorldState, prompt: Prompt): number {
  return world.replies.findIndex((reply, nth) => fits(world, reply, nth, prompt));
}

function fits(world: WorldState, script: ReplyFile, index: number, { workspace, workload, text }: Prompt): boolean {
  return (
    (script.workload ?? workload) === workload &&
    (script.workspace ?? workspace) === workspace &&
    givenCount(world, index) < (script.times ?? Infinity) &&
    (script.pattern === undefined || linearPattern(script.pattern).test(text))
  );
}

function givenCount({ inference }: WorldState, index: number): number {
  return inference.repliesGiven[index] ?? 0;
}

function filledIn(reply: string, { pattern }: ReplyFile, { text }: Prompt): string {
  const found = pattern === undefined ? [text] : (linearPattern(pattern).exec(text) ?? []);
  return reply.replaceAll(/\$([1-9&])/g, (_, group: string) => found[group === '&' ? 0 : Number(group)] ?? '');
}

/** Contains the workload, the prompt and the history; the digits differ by seed and conversation. */
function sentence(seed: number, { workload, text, earlier }: Prompt): string {
  const name = workload.slice(workload.indexOf('/') + 1);
  // Of a long text, the beginning and the length are enough to tell it from others.
  const hashed = text.length > MAX_ECHOED ? `${text.slice(0, MAX_ECHOED)}${text.length}` : text;
  const digits = hashText(seed, JSON.stringify([workload, hashed, earlier]))
    .toString(16)
    .padStart(8, '0');
  const before = earlier.slice(-EARLIER_ECHOED).map((each) => JSON.stringify(each));
  const memory = before.length === 0 ? '' : ` Earlier you said: ${before.join(', ')}.`;
  return `${name} (${digits}): You said: ${JSON.stringify(text.slice(0, MAX_ECHOED))}.${memory}`;
}

function problemOf({ status, error, message, retryAfterSeconds }: ErrorFile): Problem {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return new Problem(status, error ?? 'scripted_error', message ?? 'The world file scripts this error.', headers);
}
