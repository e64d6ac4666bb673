/** Registers cases: a requirement id and the code that tests it. */
import { requirement } from '../../spec/requirements/index.ts';
import type { MustId, ObserveId, RequirementId } from '../../spec/requirements/index.ts';
import { registration } from '../judge/judgement.ts';
import type { Case } from './run-case.ts';
import type { Run } from './run.ts';

export { citing, citingInstead, NotTried, Violation } from '../target/violation.ts';
export type { Mismatch } from '../target/violation.ts';
export type { CallerName } from './callers.ts';
export type { Needed, Run } from './run.ts';

type RowOf<Id extends RequirementId> = ReturnType<typeof requirement<Id>>;

/** Tests a rule of the interface document. The case fails through `check` or `forAll`. */
export function conforms<const Id extends MustId>(id: Id, tryRule: (run: Run<RowOf<Id>>) => Promise<void>): void {
  register(id, tryRule);
}

/** Records behaviour that the document leaves open. The case never fails. */
export function observes<const Id extends ObserveId>(id: Id, tryRule: (run: Run<RowOf<Id>>) => Promise<void>): void {
  register(id, tryRule);
}

/** Every case registered in this process, by requirement id. */
export const cases = new Map<RequirementId, Case>();

let notifyListener: ((registered: Case) => void) | undefined;

/**
 * Calls `listener` for each case of a suite file that is loaded from now on, also if it was loaded before. Used by the vitest
 * integration, because vitest loads suite files again.
 */
export function onRegister(listener: (registered: Case) => void): void {
  registration.hasEnded = true;
  notifyListener = listener;
}

function register(id: RequirementId, tryRule: Case['try']): void {
  const known = cases.get(id);
  if (known !== undefined && notifyListener !== undefined) return notifyListener(known);
  if (known !== undefined) throw new Error(`Requirement "${id}" has two cases.`);
  const registered: Case = { rule: requirement(id), try: tryRule };
  cases.set(id, registered);
  notifyListener?.(registered);
}
