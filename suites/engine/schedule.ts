/** Runs cases at the same time: the first round of every case before later ones, and conflicting cases one after the other. */
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import { isExclusive, runsAlone, sharedResources, usedResources } from './locks.ts';
import type { SharedResource, Slots } from './locks.ts';
import { rankOf } from './first-cases.ts';
import { startCase } from './run-case.ts';
import type { Case, CaseRun } from './run-case.ts';
import type { Places, RunContext } from './run.ts';

/** The outcome of each case. Never rejects. */
export type Outcomes = ReadonlyMap<RequirementId, Promise<CaseOutcome>>;

/** Cases of a later stage begin when none of an earlier one is left. */
const stages = {
  together: 0,
  /** One at a time: they need the memory that other cases take. */
  alone: 1,
  /** Also one at a time: they may remove what others need. */
  last: 2,
} as const;

interface Task {
  readonly run: CaseRun;
  readonly uses: readonly SharedResource[];
  /** One of `stages`. */
  readonly stage: () => number;
  readonly settle: (outcome: CaseOutcome) => void;
}

const isAlone = ({ stage }: Task): boolean => stage() > stages.together;
const exclusiveUses = ({ run: { rule }, uses }: Task): SharedResource[] =>
  uses.filter((name) => isExclusive(rule, name));

const roundOf = ({ run }: Task): number => run.nextRound() ?? 0;

/** Starts to run the cases, at most `context.concurrency` at the same time. */
export function schedule(cases: Iterable<Case>, context: RunContext): Outcomes {
  const { concurrency, maxRounds = Infinity, isTimeUp = () => false, bail } = context;
  const places = createPlaces();
  const running = new Set<Task>();
  /** Cases that have ended. Until all have, exchanges of the others may violate their rules. */
  const ended: { readonly task: Task; readonly outcome: CaseOutcome }[] = [];
  let failedCount = 0;
  const hasBailed = (): boolean => bail !== undefined && failedCount >= bail.failures;
  function end(task: Task): void {
    const outcome = task.run.end(hasBailed() ? failedCount : undefined);
    ended.push({ task, outcome });
    if (bail === undefined || bail.except.includes(outcome.result.id)) return;
    // It may only have shown that the target lacks an operation.
    if (outcome.result.verdict === 'failed' && task.run.amended(outcome).result.verdict === 'failed') failedCount += 1;
  }
  const outcomes = new Map<RequirementId, Promise<CaseOutcome>>();
  /** By round. In each, the longest begin first, then those that conflict with others. */
  const waiting: Task[] = [];
  const placesForCases: Places = {
    widen: (name, capacity) => places.widen(name, capacity),
    isAwaited: (name) => waiting.some((task) => !isAlone(task) && task.uses.includes(name)),
  };
  for (const each of cases) {
    const { promise, resolve: settle } = Promise.withResolvers<CaseOutcome>();
    outcomes.set(each.rule.id as RequirementId, promise);
    const uses = usedResources(each.rule, context.target);
    const run = startCase(each, context, true);
    const isLast = runsAlone(each.rule, context.target);
    const stage = () => (isLast ? stages.last : run.needsMemory() ? stages.alone : stages.together);
    const task = { run, uses, stage, settle };
    if (roundOf(task) > maxRounds) end(task);
    else waiting.push(task);
  }
  const sortWaiting = () =>
    waiting.sort(
      (one, other) =>
        roundOf(one) - roundOf(other) ||
        rankOf(one.run.rule) - rankOf(other.run.rule) ||
        other.uses.length - one.uses.length,
    );
  sortWaiting();
  // If the time is limited, requests of later rounds must not delay first rounds.
  const isTooEarly = (task: Task): boolean =>
    context.isTimeLimited === true &&
    roundOf(task) > 1 &&
    [...running, ...waiting].some((each) => roundOf(each) === 1 && !isAlone(each));
  const mayBegin = (task: Task): boolean =>
    isAlone(task)
      ? running.size === 0 && waiting.every((each) => each.stage() >= task.stage())
      : running.size < concurrency && places.areFree(task.run.rule, task.uses) && !isTooEarly(task);

  async function runRound(task: Task): Promise<void> {
    const slots = places.take(task.run.rule, task.uses);
    const hasMore = await task.run.next({ slots, places: placesForCases });
    context.endRound?.(task.run.rule);
    places.free(task.run.rule);
    running.delete(task);
    if (hasMore && roundOf(task) <= maxRounds) waiting.push(task);
    else end(task);
    sortWaiting();
    beginOthers();
  }
  function beginOthers(): void {
    if (isTimeUp() || hasBailed()) for (const task of waiting.splice(0)) end(task);
    const candidates = waiting.slice(); // beginning one removes it from the list
    // For cases that wait for all places of a resource: others would take them one after the other.
    const reserved = new Set<SharedResource>();
    for (const task of candidates) {
      if (task.uses.some((name) => reserved.has(name)) || !mayBegin(task)) {
        if (!isAlone(task)) for (const name of exclusiveUses(task)) reserved.add(name);
        continue;
      }
      waiting.splice(waiting.indexOf(task), 1);
      running.add(task);
      void runRound(task);
    }
    if (running.size + waiting.length > 0) return;
    for (const { task, outcome } of ended.splice(0)) task.settle(task.run.amended(outcome));
  }
  beginOthers();
  return outcomes;
}

/** The places of shared resources. Each case in a round takes one or all of each that it uses. */
function createPlaces() {
  const capacities = new Map<SharedResource, number>();
  /** Who has each place. */
  const takers = new Map<SharedResource, Map<number, Requirement>>();
  for (const [name, { capacity }] of Object.entries(sharedResources) as [SharedResource, { capacity: number }][]) {
    capacities.set(name, capacity);
    takers.set(name, new Map());
  }
  const capacityOf = (name: SharedResource): number => capacities.get(name) ?? 0;
  const isFree = (name: SharedResource, slot: number): boolean => takers.get(name)?.has(slot) !== true;
  /** Empty if it has to wait. */
  function slotsFor(rule: Requirement, name: SharedResource): number[] {
    const all = Array.from({ length: capacityOf(name) }, (_, slot) => slot);
    const free = all.filter((slot) => isFree(name, slot));
    if (!isExclusive(rule, name)) return free.slice(0, 1);
    return free.length === all.length ? free : [];
  }
  return {
    areFree: (rule: Requirement, names: readonly SharedResource[]): boolean =>
      names.every((name) => slotsFor(rule, name).length > 0),
    take(rule: Requirement, names: readonly SharedResource[]): Slots {
      const slots = names.map((name) => [name, slotsFor(rule, name)] as const);
      for (const [name, own] of slots) for (const slot of own) takers.get(name)?.set(slot, rule);
      return Object.fromEntries(slots.map(([name, [first = 0]]) => [name, first]));
    },
    free(rule: Requirement): void {
      for (const slots of takers.values()) for (const [slot, taker] of slots) if (taker === rule) slots.delete(slot);
    },
    widen(name: SharedResource, capacity: number): void {
      capacities.set(name, Math.max(capacity, capacityOf(name)));
    },
  };
}
