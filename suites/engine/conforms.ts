/** Registers cases: a requirement id and the code that tests it. */
import { requirement } from '../../spec/requirements/index.ts';
import type { MustId, ObserveId, RequirementId } from '../../spec/requirements/index.ts';
import { mayChangeTarget } from '../../spec/requirements/requirement.ts';
import type { Case } from './run-case.ts';
import type { Run } from './run.ts';

export { NotTried, Violation } from '../target/violation.ts';
export type { Mismatch } from '../target/violation.ts';
export type { CallerName } from './callers.ts';
export type { Run } from './run.ts';

type RowOf<Id extends RequirementId> = ReturnType<typeof requirement<Id>>;

export interface CaseOptions {
  /** Never runs concurrently with other cases of its file. Defaults to true if the rule needs write access. */
  sequential?: boolean;
}

/** Tests a rule of the interface document. The case fails through `check` or `forAll`. */
export function conforms<const Id extends MustId>(
  id: Id,
  tryRule: (run: Run<RowOf<Id>>) => Promise<void>,
  options?: CaseOptions,
): void {
  register(id, tryRule, options);
}

/** Records behaviour that the document leaves open. The case never fails. */
export function observes<const Id extends ObserveId>(
  id: Id,
  tryRule: (run: Run<RowOf<Id>>) => Promise<void>,
  options?: CaseOptions,
): void {
  register(id, tryRule, options);
}

/** Every case registered in this process, by requirement id. */
export const cases = new Map<RequirementId, Case>();

let notifyListener: (registered: Case) => void = () => {};

/** Calls `listener` for each case registered from now on. Used by the vitest integration. */
export function onRegister(listener: (registered: Case) => void): void {
  notifyListener = listener;
}

function register(id: RequirementId, tryRule: Case['try'], options: CaseOptions = {}): void {
  if (cases.has(id)) throw new Error(`Requirement "${id}" has two cases.`);
  const rule = requirement(id);
  const registered: Case = {
    rule,
    try: tryRule,
    sequential: options.sequential ?? mayChangeTarget(rule),
  };
  cases.set(id, registered);
  notifyListener(registered);
}
