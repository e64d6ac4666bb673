/** Named predicates over a request: which requests a deviation affects. */
import type { OperationId } from '../../spec/generated/types.ts';
import type { Context } from '../pipeline/context.ts';
import { isFor } from '../wrap/wrapping.ts';

export interface Condition {
  /** Reads as the end of "affects requests …": "on a later page". */
  readonly name: string;
  readonly holds: (ctx: Context) => boolean;
}

export const when = (name: string, holds: Condition['holds']): Condition => ({ name, holds });

/** For the query as the client sent it. */
export const whenQuery = (name: string, holds: (query: URLSearchParams) => boolean): Condition =>
  when(name, ({ querystring }) => holds(new URLSearchParams(querystring)));

export const always = when('always', () => true);

export const all = (...conditions: readonly Condition[]): Condition =>
  when(conditions.map(({ name }) => name).join(' and '), (ctx) => conditions.every(({ holds }) => holds(ctx)));

export const any = (...conditions: readonly Condition[]): Condition =>
  when(conditions.map(({ name }) => name).join(' or '), (ctx) => conditions.some(({ holds }) => holds(ctx)));

export const not = ({ name, holds }: Condition): Condition => when(`not ${name}`, (ctx) => !holds(ctx));

/** Names up to three operations, and counts more. */
export const operationsLabel = (operations: readonly OperationId[]): string =>
  operations.length > 3 ? `${operations.length} operations` : operations.join(', ');

export const on = (...operations: readonly OperationId[]): Condition =>
  when(operationsLabel(operations), (ctx) => isFor(ctx, operations));
