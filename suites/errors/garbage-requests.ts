/** The invalid requests that a run sends: fixed ones, and requests built from generated invalid values. */
import type { Operation } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import {
  commonBodies,
  commonSegments,
  garbageBodies,
  hugeBody,
  oddHeaders,
  oddMediaTypes,
  oddPaths,
  oddQueries,
  oddSegments,
  oddValues,
} from '../generators/garbage.ts';
import type { GarbageBody } from '../generators/garbage.ts';
import {
  exampleBodies,
  invalidValues,
  ofAnotherType,
  placesIn,
  replaceAt,
  valueAt,
} from '../generators/invalid-body.ts';
import type { Place } from '../generators/invalid-body.ts';
import type { RawRequest } from '../target/request-types.ts';
import { completeQuery, pathOf } from './reach.ts';

export interface Garbage extends RawRequest {
  readonly operation?: Operation;
}

export function everyGarbage(run: Run, targets: readonly Operation[]): Garbage[] {
  const named = targets.filter(({ path }) => path.includes('{'));
  const surfaces = [...new Set(targets.map(({ surface }) => surface))];
  return [
    ...targets.flatMap((operation) => spoiltRequests(run, operation)),
    ...targets
      .filter(({ hasBody }) => hasBody)
      .flatMap((operation, at) => bodiesFor(at).map((body) => withBody(run, operation, body))),
    ...targets.flatMap((operation, at) =>
      queriesFor(run, operation, at).map((query) => withQuery(run, operation, query)),
    ),
    ...named.flatMap((operation, at) =>
      [...commonSegments, ...share(oddSegments, at)].map((segment) => plain(run, operation, segment)),
    ),
    ...targets.flatMap((operation, at) =>
      share(oddHeaders, at, 12).map((header) => withHeader(run, operation, header)),
    ),
    ...surfaces.flatMap((surface, at) => share(oddPaths, at, 2).map((path) => ({ surface, method: 'GET', path }))),
    ...targets
      .filter(({ method }) => method === 'GET')
      .map((operation) => ({ ...plain(run, operation), method: 'OPTIONS' })),
  ];
}

/**
 * One of `parts` shares of the list. Consecutive operations get different shares, so every item is sent and no operation
 * takes long.
 */
function share<Item>(items: readonly Item[], at: number, parts = 5): Item[] {
  return items.filter((_, index) => index % parts === at % parts);
}

function bodiesFor(at: number): GarbageBody[] {
  return [...commonBodies, ...share([...garbageBodies, ...oddMediaTypes], at)];
}

/**
 * For each property of a body, a copy in which it has an invalid value. Creates also get an invalid name, so nothing is
 * created.
 */
function spoiltRequests(run: Run, operation: Operation): Garbage[] {
  return exampleBodies(operation).flatMap((example) => {
    const unnamed =
      operation.method === 'POST' && operation.surface === 'management'
        ? replaceAt(example, ['metadata', 'name'], 'Not A Name')
        : example;
    return placesIn(unnamed).flatMap((place, at) =>
      [...usualFor(unnamed, place), ...share(oddFor(operation), at + run.seed)].map((odd) =>
        withBody(run, operation, { body: JSON.stringify(replaceAt(unnamed, place, odd)), type: 'application/json' }),
      ),
    );
  });
}

/** The most frequent client mistakes, at every place: an empty value, and a value of another type. */
const usualFor = (example: unknown, place: Place): unknown[] => [null, ofAnotherType(valueAt(example, place))];

/** Omitted for tree writes, because any string would be written as a file. */
function oddFor({ id }: Operation): readonly unknown[] {
  return id === 'writeTree' ? invalidValues.filter((odd) => typeof odd !== 'string') : invalidValues;
}

/** Odd queries, alone and appended to a complete one; odd values for each parameter of the operation. */
function queriesFor(run: Run, operation: Operation, at: number): string[] {
  const complete = completeQuery(run, operation);
  const odd = share(oddQueries, at);
  const combined = complete === '' ? [] : oddQueries.map((query) => `${complete}&${query}`);
  const instead = operation.queryParameters.flatMap((name, index) =>
    share(oddValues, index).map((value) => {
      const query = new URLSearchParams(complete);
      query.set(name, value);
      return query.toString();
    }),
  );
  const twice = operation.queryParameters.map((name) => `${complete}&${name}=assay&${name}=assay`);
  return [...odd, ...combined, ...instead, ...twice];
}

/** A valid request of the operation, except that writes have a body that no server can accept. */
export function plain(run: Run, operation: Operation, segment?: string): Garbage {
  const { surface, method, hasBody } = operation;
  const query = completeQuery(run, operation);
  const path = pathOf(run, operation, segment) + (query === '' ? '' : `?${query}`);
  const request = { operation, surface, method, path };
  return hasBody ? { ...request, body: '[]', headers: { 'Content-Type': 'application/json' } } : request;
}

export function withBody(run: Run, operation: Operation, { body, type }: GarbageBody): Garbage {
  return { ...plain(run, operation), body, headers: type === undefined ? {} : { 'Content-Type': type } };
}

export function withQuery(run: Run, operation: Operation, query: string): Garbage {
  return { ...plain(run, operation), path: `${pathOf(run, operation)}?${query}` };
}

function withHeader(run: Run, operation: Operation, [name, value]: readonly [string, string]): Garbage {
  const request = plain(run, operation);
  return { ...request, headers: { ...request.headers, [name.replace('{brand}', run.target.brand)]: value } };
}

export function hugeRequests(run: Run, targets: readonly Operation[]): Garbage[] {
  const surfaces = new Set<string>();
  const first = targets.filter(({ hasBody, surface }) => hasBody && !surfaces.has(surface) && surfaces.add(surface));
  return first.map((operation) => withBody(run, operation, hugeBody));
}
