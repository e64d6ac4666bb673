/** Registers cases: a requirement's id and the code that tries it. */
import { requirement } from '../../spec/requirements/index.ts';
import type { MustId, ObserveId, RequirementId } from '../../spec/requirements/index.ts';
import type { Case } from './run-case.ts';
import type { Run } from './run.ts';

export { NotTried, Violation } from '../target/violation.ts';
export type { Mismatch } from '../target/violation.ts';
export type { CallerName } from './callers.ts';
export type { Run } from './run.ts';

type RowOf<Id extends RequirementId> = ReturnType<typeof requirement<Id>>;

export interface CaseOptions {
  /** Never beside another case of its file; so is every case that needs to write. */
  sequential?: boolean;
}

/** A rule that the interface document states: the case checks it, and fails by check or forAll. */
export function conforms<const Id extends MustId>(
  id: Id,
  tryRule: (run: Run<RowOf<Id>>) => Promise<void>,
  options?: CaseOptions,
): void {
  register(id, tryRule, options);
}

/** What the document leaves open: the case records what the target does, and never fails. */
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

/** From now on each new case is told to this function as well; the binding to a test runner uses it. */
export function onRegister(listener: (registered: Case) => void): void {
  notifyListener = listener;
}

function register(id: RequirementId, tryRule: Case['try'], options: CaseOptions = {}): void {
  if (cases.has(id)) throw new Error(`Requirement "${id}" has two cases.`);
  const rule = requirement(id);
  const needs: readonly string[] = rule.needs;
  const registered: Case = {
    rule,
    try: tryRule,
    sequential: options.sequential ?? (needs.includes('write') || needs.includes('destroy')),
  };
  cases.set(id, registered);
  notifyListener(registered);
}
