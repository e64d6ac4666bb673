/** Named predicates over a request: which requests a deviation affects. */
import { operations, type Operation, type OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import { bodyOf, isFor } from '../wrap/wrapping.ts';
import { valueAt } from './json-path.ts';

export interface Condition {
  /** Ends a sentence about a fault: "on later pages". */
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
export const operationsLabel = (ids: readonly OperationId[]): string =>
  `for ${ids.length > 3 ? `${ids.length} operations` : ids.join(', ')}`;

export const on = (...ids: readonly OperationId[]): Condition => when(operationsLabel(ids), (ctx) => isFor(ctx, ids));

export const onSurface = (name: Operation['surface']): Condition => {
  const ids = operations.filter(({ surface }) => surface === name).map(({ id }) => id);
  return { ...on(...ids), name: `of the ${name} API` };
};

/** One for each documented write of the management API. */
export const managementWrites: readonly Condition[] = operations
  .filter(({ surface, method, documented }) => surface === 'management' && method !== 'GET' && documented)
  .map(({ id }) => on(id));

/** By the value that the client sent at a path of the body, undefined if there is none. Holds only for a body that the mock has read. */
export const sent = (path: string, name: string, holds: (value: unknown) => boolean): Condition =>
  when(name, ({ state: { body } }) => holds(valueAt(body, path)));

/** By the value at a path of a successful response. Holds only after the mock has responded. */
export const returned = (path: string, name: string, holds: (value: unknown) => boolean): Condition =>
  when(name, (ctx) => (ctx.state.reply?.status ?? 500) < 300 && holds(valueAt(bodyOf(ctx), path)));

export const ofDisabledAgent = returned('spec.enabled', 'of a disabled agent', (value) => value === false);
export const ofMk3 = returned('spec.runtime.generation', 'of an mk3 agent', (value) => value === 'mk3');
