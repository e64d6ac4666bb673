/** Compares the elements that a run exercised with all documented ones, and says why the others were not. */
import type { CaseOutcome } from '../spec/case-outcome.ts';
import { operationRequirements, partRequirements } from '../spec/coverage/part-requirements.ts';
import type { Element, ElementKind } from '../spec/elements/element.ts';
import { THE_OPERATION } from '../spec/elements/element.ts';
import { elements } from '../spec/elements/elements.ts';
import { elementExcuses } from '../spec/elements/excuses.ts';
import type { Coverage, RuleResult } from '../spec/verdicts.ts';

const UNEXERCISED: Readonly<Record<ElementKind, string>> = {
  valid: 'no accepted request contained it',
  invalid: 'no request had only this error',
  response: 'no response contained it',
};

/** Whether neither an excuse nor a rule that was not tried is the reason. */
export const isUnexplained = ({ why }: Coverage['missing'][number]): boolean =>
  Object.values(UNEXERCISED).includes(why);

const nameOf = ({ operation, element }: Pick<Element, 'operation' | 'element'>): string => `${operation} ${element}`;

/** `results`: those of all rules of the report. */
export function coverageOf(outcomes: readonly CaseOutcome[], results: readonly RuleResult[]): Coverage {
  const exercised = new Set(outcomes.flatMap((outcome) => outcome.exercised.map(nameOf)));
  const missing = elements.filter((each) => !exercised.has(nameOf(each)));
  return {
    elements: elements.length,
    exercised: elements.length - missing.length,
    missing: missing.map((each) => ({
      operation: each.operation,
      element: each.element,
      why: reasonFor(each, exercised, results),
    })),
  };
}

function reasonFor(element: Element, exercised: ReadonlySet<string>, results: readonly RuleResult[]): string {
  const excuse = elementExcuses.find((each) => each.elements.test(nameOf(element)));
  if (excuse !== undefined) return excuse.why;
  const { operation } = element;
  const isCalled = exercised.has(nameOf({ operation, element: THE_OPERATION }));
  const rules: readonly string[] = [
    ...partRequirements(operation, partOf(element)),
    ...(isCalled ? [] : operationRequirements(operation)),
  ];
  const untried = results.find(({ id, verdict }) => verdict === 'not-tried' && rules.includes(id));
  return untried === undefined ? UNEXERCISED[element.kind] : `${untried.id} was not tried: ${untried.reason}`;
}

/** The notation of parts: without values and bounds, and `request` for the body. */
function partOf({ element }: Element): string {
  const [part = '', location = '', name = ''] = /(query|header|body|response \d+)(?: (\S+))?/.exec(element) ?? [];
  return location === 'body' ? `request ${name}` : part;
}
