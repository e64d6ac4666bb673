/** Registers cases: a requirement's id and the code that tries it. */
import { requirement } from '../../spec/requirements/index.ts';
import type { MustId, ObserveId, RequirementId } from '../../spec/requirements/index.ts';
import type { Case } from './run-case.ts';
import type { Run } from './run.ts';

export { NotTried, Violation } from '../target/violation.ts';
export type { Mismatch } from '../target/violation.ts';
export type { CallerName, Run } from './run.ts';

type RowOf<Id extends RequirementId> = ReturnType<typeof requirement<Id>>;

export interface CaseOptions {
  /** Never beside another case of its file; so is every case that needs to write. */
  alone?: boolean;
}

/** A rule that the interface document states: the case checks it, and fails by check or forAll. */
export function conforms<const Id extends MustId>(
  id: Id,
  tries: (run: Run<RowOf<Id>>) => Promise<void>,
  options?: CaseOptions,
): void {
  register(id, tries, options);
}

/** What the document leaves open: the case records what the target does, and never fails. */
export function observes<const Id extends ObserveId>(
  id: Id,
  tries: (run: Run<RowOf<Id>>) => Promise<void>,
  options?: CaseOptions,
): void {
  register(id, tries, options);
}

/** Every case registered in this process, by requirement id. */
export const cases = new Map<RequirementId, Case>();

let announce: (added: Case) => void = () => {};

/** From now on each new case is told to this function as well; the binding to a test runner uses it. */
export function onRegister(tell: (added: Case) => void): void {
  announce = tell;
}

function register(id: RequirementId, tries: Case['try'], options: CaseOptions = {}): void {
  if (cases.has(id)) throw new Error(`Requirement "${id}" has two cases.`);
  const rule = requirement(id);
  const needs: readonly string[] = rule.needs;
  const added: Case = {
    rule,
    try: tries,
    alone: options.alone ?? (needs.includes('write') || needs.includes('destroy')),
  };
  cases.set(id, added);
  announce(added);
}
