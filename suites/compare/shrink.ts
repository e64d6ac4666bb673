/** Looks for the shortest sequence that still shows a difference: fewer steps first, then smaller requests. */
import { differencesIn, type Cause } from './causes.ts';
import { STATUS } from './compare-responses.ts';
import { beginSequence, isSkipped, type Sides, type StepResult } from './lockstep.ts';
import type { SentRequest } from '../target/exchange.ts';
import { operation } from '../../spec/operations.ts';
import { usualCaller } from './twists.ts';
import { usedNames, usedSteps, type Step } from './step.ts';

/** A step with its number in the whole sequence, for references. */
export type NumberedStep = readonly [number: number, step: Step];

export interface Shrunk {
  readonly steps: readonly NumberedStep[];
  /** What was sent to each target, redacted. */
  readonly sent: { readonly a: readonly SentRequest[]; readonly b: readonly SentRequest[] };
  /** Of the last step. */
  readonly result: StepResult;
  /** Whether a repetition with new names showed it. */
  readonly isRepeated: boolean;
  /** Sent to each target. */
  readonly requests: number;
}

export const MAX_SHRINKING_REQUESTS = 60;

export interface ShrinkOptions {
  readonly patienceSeconds: number;
  /** Returns the number of a new sequence. */
  readonly nextSequence: () => number;
  readonly isOver: () => boolean;
  /** What the steps of the history sent, by their numbers. */
  readonly exchanges: ReadonlyMap<number, StepResult['exchanges']>;
}

/** `history`: the steps before the one that showed the difference. */
export async function shrink(
  sides: Sides,
  { first: { number, step, result }, at }: Cause,
  history: readonly NumberedStep[],
  { patienceSeconds, nextSequence, isOver, exchanges }: ShrinkOptions,
): Promise<Shrunk> {
  let requests = 0;
  const last: NumberedStep = [number, step];
  const known = (): boolean => true; // A repetition that is late counts as one that does not show the difference.

  /** The result of the last step if the sequence shows the difference, or undefined. */
  async function shows(
    steps: readonly NumberedStep[],
  ): Promise<{ results: StepResult[]; latest: StepResult } | undefined> {
    if (requests + steps.length > MAX_SHRINKING_REQUESTS || isOver()) return undefined;
    const sequence = beginSequence(sides, nextSequence(), { patienceSeconds, isKnown: known });
    const results: StepResult[] = [];
    for (const numbered of steps) {
      requests += 1;
      const played = await sequence.play(...numbered);
      if (isSkipped(played)) return undefined;
      results.push(played);
    }
    const latest = results.at(-1)!;
    return isSame(steps.at(-1)![1], latest) ? { results, latest } : undefined;
  }

  const isSame = (of: Step, found: StepResult): boolean =>
    differencesIn(of, found).some((each) => each.at === at && (at !== STATUS || isSameStatus(found)));
  const isSameStatus = ({ exchanges: { a, b } }: StepResult): boolean =>
    a.response.status === result.exchanges.a.response.status &&
    b.response.status === result.exchanges.b.response.status;

  let best: Omit<Shrunk, 'isRepeated' | 'requests'> | undefined;
  const consider = async (steps: readonly NumberedStep[]): Promise<boolean> => {
    const found = await shows(steps);
    if (found !== undefined)
      best = { steps, result: found.latest, sent: sentIn(found.results.map((each) => each.exchanges)) };
    return found !== undefined;
  };

  const needed = neededSteps(last, history);
  for (const steps of [needed, related(last, history), history.slice(-20)])
    if (best === undefined) await consider(steps === needed ? [...needed, last] : [...steps, last]);
  if (best === undefined) {
    const steps = [...needed, last];
    const sent = sentIn(steps.flatMap(([each]) => exchanges.get(each) ?? []));
    return { steps, sent, result, isRepeated: false, requests };
  }
  for (let dropped = best.steps.length - 2; dropped >= 0; dropped -= 1)
    await consider(best.steps.filter((_, index) => index !== dropped));
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerSteps(best.steps.at(-1)![1])) {
      isSmaller = await consider([...best.steps.slice(0, -1), [number, smaller]]);
      if (isSmaller) break;
    }
  }
  return { ...best, isRepeated: true, requests };
}

const sentIn = (exchanges: readonly StepResult['exchanges'][]): Shrunk['sent'] => ({
  a: exchanges.map(({ a }) => a.request),
  b: exchanges.map(({ b }) => b.request),
});

/** The earlier steps whose names and responses a step uses, and those that they use. */
export function neededSteps(last: NumberedStep, history: readonly NumberedStep[]): NumberedStep[] {
  const [, step] = last;
  const [names, numbers] = [new Set(usedNames(step)), new Set(usedSteps(step))];
  const needed: NumberedStep[] = [];
  for (const each of history.toReversed()) {
    const [number, earlier] = each;
    const isUsed = numbers.has(number) || usedNames(earlier).some((name) => names.has(name) && !name.includes('files'));
    if (!isUsed || needed.length >= 12) continue;
    needed.unshift(each);
    for (const used of usedSteps(earlier)) numbers.add(used);
    for (const name of usedNames(earlier)) names.add(name);
  }
  return needed;
}

/** The earlier steps of the same operation: the difference may depend on what was sent before. */
const related = ([, { operation: id }]: NumberedStep, history: readonly NumberedStep[]): NumberedStep[] =>
  history.filter(([, each]) => each.operation === id && usedSteps(each).length === 0).slice(-6);

/** Slightly smaller requests: without a parameter, a header or a part of the body, or with the usual caller. */
function smallerSteps(step: Step): Step[] {
  const { query, headers, body } = step;
  const usual = usualCaller(operation(step.operation));
  return [
    ...(step.caller === usual ? [] : [{ ...step, caller: usual }]),
    ...(step.isBranded === true ? [{ ...step, isBranded: false }] : []),
    ...smallerObjects(headers).map((each) => ({ ...step, headers: each as Record<string, string> })),
    ...smallerObjects(query).map((each) => ({ ...step, query: each as Record<string, string> })),
    ...smallerValues(body).map((each) => ({ ...step, body: each })),
  ];
}

const smallerObjects = (value: object | undefined): object[] =>
  Object.keys(value ?? {}).map((name) => Object.fromEntries(Object.entries(value!).filter(([each]) => each !== name)));

/** Without whole members first, then without what is in them. Names stay. */
function smallerValues(value: unknown): unknown[] {
  if (Array.isArray(value))
    return [
      ...value.map((_, index) => value.filter((__, other) => other !== index)),
      ...value.flatMap((each, index) => smallerValues(each).map((smaller) => value.with(index, smaller))),
    ];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value).filter(([name]) => name !== 'name');
  return [
    ...entries.map(([name]) => Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))),
    ...entries.flatMap(([name, each]: [string, unknown]) =>
      smallerValues(each).map((smaller) => ({ ...value, [name]: smaller })),
    ),
  ];
}
