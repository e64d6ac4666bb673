/** Runs one sequence of steps on two targets, and explains the differences. */
import { operation, type Operation, type OperationId } from '../../spec/operations.ts';
import { pastWindow } from '../kit/metrics/windows.ts';
import { collectCauses, ABSENT, classOfTargets, classOfVersions, type Cause } from './causes.ts';
import { createStepChooser } from './choose-step.ts';
import type { Alike } from './compare-responses.ts';
import { drawFrom } from './draw.ts';
import { areVersions, beginSequence, isSkipped, type Sides, type StepResult } from './lockstep.ts';
import { createModel } from './model.ts';
import { shrink, type NumberedStep, type Shrunk } from './shrink.ts';
import { readsAfter } from './read-after.ts';
import { withMeanings, type Step } from './step.ts';

export interface CompareSettings {
  readonly seed: number;
  /** Steps of the sequence. */
  readonly requests: number;
  readonly patienceSeconds: number;
  /** Whether nothing more may be sent. */
  readonly isOver: () => boolean;
  readonly isSelected?: (operation: Operation) => boolean;
  /** How many differences are shrunk, the first ones. */
  readonly shrinkCount: number;
}

/** What was compared, by operation. */
export interface ComparedOperation {
  readonly compared: number;
  readonly alike: number;
}

/** By rule: how many pairs of values it made the same, and the first one. */
export type AlikeCounts = Map<string, { count: number; readonly first: Alike & { readonly operation: OperationId } }>;

export interface Comparison {
  readonly steps: number;
  /** By reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** A target did not respond several times in a row. */
  readonly unreachable: string | undefined;
  readonly operations: ReadonlyMap<OperationId, ComparedOperation>;
  readonly alike: AlikeCounts;
  readonly differences: readonly (Cause & { readonly shrunk: Shrunk })[];
}

const MAX_SILENT = 5;

/** Whether what one side changes is also there for the other one: two versions, or one target that is given twice. */
export const areOneTarget = (a: Place, b: Place): boolean =>
  addressOf(a) === addressOf(b) && (a.workspace ?? b.workspace) === (b.workspace ?? a.workspace);
const addressOf = ({ addresses: { management = '' } }: Place): string =>
  (URL.parse(management)?.href ?? management).replace(/\/+$/, '');
interface Place {
  readonly addresses: { readonly management?: string };
  readonly workspace?: string;
}

export async function compareTargets(given: Omit<Sides, 'usage'>, settings: CompareSettings): Promise<Comparison> {
  const { seed, requests, patienceSeconds, isOver, isSelected = () => true, shrinkCount } = settings;
  const { startTime, endTime } = pastWindow({ target: given.a.target });
  const window = { start: Date.parse(startTime), end: Date.parse(endTime) };
  const comparesVersions = areVersions(given);
  const sides: Sides = { ...given, usage: { window, ...(comparesVersions && { isSame: true }) } };
  const isOwn = (name: string): boolean => [sides.a, sides.b].every((side) => hasOwn(side.own, name));
  const draw = drawFrom(seed);
  const model = createModel(isOwn);
  const causes = collectCauses(comparesVersions ? classOfVersions : classOfTargets);
  const levels = [sides.a, sides.b].map(({ target }) => target.allow);
  const maySend = (each: Operation): boolean =>
    isSelected(each) && (!levels.includes('read') || !isChanging(each)) && (!comparesVersions || each.versioned);
  const chooser = createStepChooser(
    {
      draw,
      model,
      isOwn,
      window,
      comparesVersions,
      hasApiKey: [sides.a, sides.b].every(({ target }) => target.credentials.apiKey !== undefined),
      mayDestroy: levels.every((level) => level === 'destroy') && !areOneTarget(sides.a.target, sides.b.target),
    },
    { isSelected: maySend },
  );
  const sequence = beginSequence(sides, 0, { patienceSeconds, isKnown: causes.isKnown });
  const history: NumberedStep[] = [];
  const exchanges = new Map<number, StepResult['exchanges']>();
  const operations = new Map<OperationId, ComparedOperation>();
  const skipped = new Map<string, number>();
  const alike: AlikeCounts = new Map();
  const pendingReads: Step[] = [];
  let [silent, unreachable]: [number, string | undefined] = [0, undefined];

  for (let number = 1; number <= requests && !isOver() && unreachable === undefined; number += 1) {
    const step = pendingReads.shift() ?? chooser.next();
    if (step === undefined) break;
    const result = await sequence.play(number, step);
    if (isSkipped(result)) {
      skipped.set(result.reason, (skipped.get(result.reason) ?? 0) + 1);
      silent = result.isSilent ? silent + 1 : 0;
      if (silent === MAX_SILENT) unreachable = result.reason;
      continue;
    }
    silent = 0;
    for (const id of model.note(number, step, result)) chooser.drop(id);
    // After about half of them: there are more refusals than effects.
    if (draw.fraction() < 0.5)
      pendingReads.push(
        ...readsAfter(step, result).filter(
          (read) => maySend(operation(read.operation)) && !causes.isKnown(read, ABSENT),
        ),
      );
    const isDifferent = causes.note(number, step, result);
    if (causes.isKnown(step, ABSENT)) chooser.drop(step.operation);
    countCompared(operations, step.operation, isDifferent);
    countAlike(alike, step.operation, result.alike);
    history.push([number, step]);
    exchanges.set(number, result.exchanges);
  }

  const differences: (Cause & { shrunk: Shrunk })[] = [];
  let sequences = 0;
  const options = { patienceSeconds, isOver, exchanges, nextSequence: () => (sequences += 1) };
  for (const [index, cause] of causes.list.entries()) {
    const before = history.filter(([number]) => number < cause.first.number);
    const isShrunk = index < shrinkCount && unreachable === undefined;
    differences.push({
      ...cause,
      shrunk: await shrink(sides, cause, before, { ...options, isOver: () => !isShrunk || isOver() }),
    });
  }
  return { steps: history.length, skipped, unreachable, operations, alike, differences };
}

export function countCompared(
  counts: Map<OperationId, ComparedOperation>,
  id: OperationId,
  isDifferent: boolean,
): void {
  const { compared, alike } = counts.get(id) ?? { compared: 0, alike: 0 };
  counts.set(id, { compared: compared + 1, alike: alike + (isDifferent ? 0 : 1) });
}

/** Counts the rules that made values the same. */
export function countAlike(counts: AlikeCounts, id: OperationId, found: readonly Alike[]): void {
  for (const each of found) {
    const known = counts.get(each.rule);
    if (known === undefined) counts.set(each.rule, { count: 1, first: { ...each, operation: id } });
    else known.count += 1;
  }
}

/** Requests that a run which only reads may not send. */
const isChanging = ({ method, surface, id }: Operation): boolean =>
  method !== 'GET' &&
  (surface === 'management' || (surface === 'sandbox' && id !== 'postSandboxMcp') || id.endsWith('JobExecution'));

function hasOwn(own: object, name: string): boolean {
  try {
    return withMeanings(`<own ${name}>`, { own, nameAt: String, responses: new Map() }) !== '';
  } catch {
    return false;
  }
}
