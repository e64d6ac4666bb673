/** Chooses the next step of a sequence: operations and contexts that were sent less than they deserve come first. */
import { operations } from '../../spec/operations.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import { requestFor, requests, type Known } from './requests.ts';
import type { Step } from './step.ts';
import { twists, usualCaller, VALID, withTwist } from './twists.ts';

export interface ChooseOptions {
  /** Operations that may be sent. */
  readonly isSelected: (operation: Operation) => boolean;
}

export interface StepChooser {
  /** Undefined if nothing can be sent. */
  readonly next: () => Step | undefined;
  /** No further requests of the operation: one target does not have it, or what it shows differs from now on. */
  readonly drop: (id: OperationId) => void;
}

const ruleCounts = new Map<OperationId, number>();
for (const { operations: named } of requirements)
  for (const id of named as readonly OperationId[]) ruleCounts.set(id, (ruleCounts.get(id) ?? 0) + 1);

/** Operations with many rules have more to exercise than those that are inferred. */
const weightOf = ({ id, documented }: Operation): number =>
  documented ? 2 + Math.sqrt(ruleCounts.get(id) ?? 0) * 1.5 : 1;

/** Other ways to send the same request, which do not make it another context. */
function varied(step: Step, { security, versioned }: Operation, { draw, hasApiKey, comparesVersions }: Known): Step {
  const caller = step.caller === 'strongest' && hasApiKey && draw.fraction() < 0.35 ? ('apiKey' as const) : step.caller;
  return {
    ...step,
    caller,
    ...(security && draw.fraction() < 0.3 && { isBranded: true }),
    ...(versioned &&
      !comparesVersions &&
      draw.fraction() < 0.15 && { headers: { 'Svc-Version': '2026-04-16', ...step.headers } }),
  };
}

export function createStepChooser(known: Known, { isSelected }: ChooseOptions): StepChooser {
  const { draw } = known;
  const counts = new Map<string, number>();
  const dropped = new Set<OperationId>();
  const countOf = (key: string): number => counts.get(key) ?? 0;
  const count = (key: string): void => void counts.set(key, countOf(key) + 1);
  const candidates = operations.filter((each) => requests[each.id] !== null && isSelected(each));

  function stepOf(operation: Operation): Step | undefined {
    const parts = requestFor(operation, known);
    if (parts === undefined) return undefined;
    const plain: Step = { operation: operation.id, context: 'valid', caller: usualCaller(operation), ...parts };
    const choices = twists.flatMap((twist) => {
      const step = withTwist(plain, twist, known);
      const sent = countOf(`${operation.id} ${twist.name}`);
      const sentAnywhere = twist.name === VALID ? 0 : countOf(twist.name);
      return step === undefined
        ? []
        : [[step, twist.weight / (1 + sent / twist.weight) ** 2 / (1 + sentAnywhere / 10)] as const];
    });
    const chosen = draw.weighted(choices);
    return chosen && varied(chosen, operation, known);
  }

  return {
    drop: (id) => void dropped.add(id),
    next() {
      const tried = new Set<OperationId>(dropped);
      for (;;) {
        const open = candidates.filter(({ id }) => !tried.has(id));
        const chosen = draw.weighted(
          open.map((each) => [each, (weightOf(each) / (1 + countOf(each.id) / weightOf(each))) ** 2] as const),
        );
        if (chosen === undefined) return undefined;
        const step = stepOf(chosen);
        tried.add(chosen.id);
        if (step === undefined) continue;
        count(step.operation);
        count(step.context);
        count(`${step.operation} ${step.context}`);
        return step;
      }
    },
  };
}
