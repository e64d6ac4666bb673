/** Operations by name: an operationId such as listAccounts, or a route such as `GET /accounts`, or a glob. */
import { didYouMean } from './nearest.ts';
import { routeOf } from './missing-operation.ts';
import { operation, operations } from './operations.ts';
import type { OperationId } from './operations.ts';
import type { Requirement } from './requirements/requirement.ts';
import { matchesGlob } from './wildcard.ts';

/** Empty if no operation has the name. The names of path parameters do not matter. */
export function operationsNamed(name: string): OperationId[] {
  const pattern = withoutNames(name);
  return operations
    .filter((each) => [each.id, withoutNames(routeOf(each))].some((own) => matchesGlob(own, pattern)))
    .map(({ id }) => id);
}

/** What a target has, as its user declares with such names: of several operations that one names, the documented ones. */
export const declaredOperations = (names: readonly string[]): OperationId[] =>
  names.flatMap((name) => {
    const named = operationsNamed(name);
    const documented = named.filter((id) => operation(id).documented);
    return documented.length > 0 ? documented : named;
  });

const withoutNames = (route: string): string => route.replaceAll(/\{[^{},]*\}/g, '{}');

/** Completes "… is not …". */
export function describeOperationNames(wrong: string): string {
  const documented = operations.filter((each) => each.documented);
  const suggestion = didYouMean(
    wrong,
    documented.flatMap((each) => [each.id as string, routeOf(each)]),
  );
  return `an operation, such as listAccounts or GET /accounts.${suggestion} Documented operations: ${documented.map(({ id }) => id).join(', ')}`;
}

/** Whether a rule is about one of these operations. */
export function isAbout(rule: Pick<Requirement, 'operations'>, ids: readonly OperationId[]): boolean {
  const surfaces = operations.filter(({ id }) => ids.includes(id)).map(({ surface }) => surface);
  return rule.operations.some((each) => [...ids, ...surfaces].includes(each));
}

/** How many documented operations are not among these. */
export const otherOperationCount = (ids: readonly OperationId[]): number =>
  operations.filter(({ id, documented }) => documented && !ids.includes(id)).length;
