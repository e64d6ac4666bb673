/** The invalid requests that a run sends: fixed ones, and requests built from generated invalid values. */
import type { Operation } from '../../spec/operations.ts';
import type { Run } from '../engine/conforms.ts';
import {
  ambiguousBodies,
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
  /** What is wrong with it: of requests with the same flaw, a run sends one. Absent if the request is the only one. */
  readonly flaw?: string;
}

/** The mistakes that most often make servers fail. A run sends all of them. */
export function likelyGarbage(run: Run, targets: readonly Operation[]): Garbage[] {
  const withBodies = targets.filter(({ hasBody }) => hasBody);
  const named = targets.filter(({ path }) => path.includes('{'));
  const requestOf = (body: GarbageBody, operation: Operation) => withBody(run, operation, body);
  return [
    ...eachOf(commonBodies, withBodies, requestOf),
    ...inTurn(ambiguousBodies, withBodies, run.seed, requestOf),
    ...spoiltRequests(run, withBodies, ({ example, place }) => (isText(valueAt(example, place)) ? [] : [null])),
    ...parameterRequests(run, targets, () => ['\u0000']),
    ...parameterRequests(run, targets, (name) => (['limit', 'cursor'].includes(name) ? ['9'.repeat(40)] : [])),
    ...targets.flatMap((operation) => repeatedParameters(run, operation)),
    ...inTurn(oddQueries, targets, run.seed, (query, operation) => withQuery(run, operation, query)),
    ...eachOf(commonSegments, named, (segment, operation) => plain(run, operation, segment)),
    ...inTurn(oddHeaders, targets, run.seed, (header, operation) => withHeader(run, operation, header)),
  ];
}

const isText = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Lists of invalid requests, one per kind. A run sends one request of each flaw. */
export function kindsOfGarbage(run: Run, targets: readonly Operation[]): Garbage[][] {
  const { seed } = run;
  const withBodies = targets.filter(({ hasBody }) => hasBody);
  const named = targets.filter(({ path }) => path.includes('{'));
  const reads = targets.filter(({ method }) => method === 'GET');
  const surfaces = [...new Set(targets.map(({ surface }) => surface))];
  const isUpdate = ({ id }: Operation): boolean => id === 'updateAgent';
  const isQuery = ({ id }: Operation): boolean => id === 'queryAgent';
  const isCreate = (each: Operation): boolean => each.surface === 'management' && !isUpdate(each);
  return [
    spoiltRequests(
      run,
      withBodies,
      ({ operation, example, place }) => [null, ofAnotherType(valueAt(example, place)), ...invalidValuesFor(operation)],
      (value) => JSON.stringify(value),
    ),
    inTurn([...garbageBodies, ...oddMediaTypes], withBodies, seed, (body, operation) => withBody(run, operation, body)),
    parameterRequests(
      run,
      targets,
      () => oddValues,
      (value) => value,
    ),
    inTurn(oddSegments, named, seed, (segment, operation) => plain(run, operation, segment)),
    inTurn(oddPaths, surfaces, seed, (path, surface) => ({ surface, method: 'GET', path })),
    reads.map((operation) => ({ ...plain(run, operation), method: 'OPTIONS' })),
    hugeRequests(run, withBodies),
    [
      ...withBodies
        .filter(isCreate)
        .map((operation) => withHeader(run, operation, ['X-{brand}-Workspace', run.unknownName])),
      ...eachOf(longThreadIds, targets.filter(isQuery), (header, operation) => withHeader(run, operation, header)),
    ],
  ];
}

const longThreadIds = [['X-{brand}-Thread-Id', 'a'.repeat(2000)]] as const;

/** Every value with every target. */
function eachOf<Value, Target>(
  values: readonly Value[],
  targets: readonly Target[],
  requestOf: (value: Value, target: Target) => Garbage,
): Garbage[] {
  return values.flatMap((value) => targets.map((target) => requestOf(value, target)));
}

/** Every value once, with the targets in turn. The seed decides which target is the first one. */
function inTurn<Value, Target>(
  values: readonly Value[],
  targets: readonly Target[],
  seed: number,
  requestOf: (value: Value, target: Target) => Garbage,
): Garbage[] {
  if (targets.length === 0) return [];
  return values.map((value, index) => requestOf(value, targets[(index + seed) % targets.length]!));
}

/** A property of an example body. */
interface Property {
  readonly operation: Operation;
  readonly example: unknown;
  readonly place: Place;
}

/**
 * For each property of the bodies, copies in which it has an invalid value. Creates also get an invalid name, so nothing
 * is created.
 */
function spoiltRequests(
  run: Run,
  targets: readonly Operation[],
  valuesFor: (property: Property) => readonly unknown[],
  flawOf?: (value: unknown) => string,
): Garbage[] {
  const properties = targets.flatMap((operation) =>
    exampleBodies(operation).flatMap((body) => {
      const example =
        operation.method === 'POST' && operation.surface === 'management'
          ? replaceAt(body, ['metadata', 'name'], 'Not A Name')
          : body;
      return placesIn(example).map((place): Property => ({ operation, example, place }));
    }),
  );
  return properties.flatMap((property) =>
    valuesFor(property).map((value) => {
      const body = JSON.stringify(replaceAt(property.example, property.place, value));
      const request = withBody(run, property.operation, { body, type: 'application/json' });
      return flawOf === undefined ? request : { ...request, flaw: flawOf(value) };
    }),
  );
}

/** Without strings for tree writes, because any string would be written as a file. */
function invalidValuesFor({ id }: Operation): readonly unknown[] {
  return id === 'writeTree' ? invalidValues.filter((value) => typeof value !== 'string') : invalidValues;
}

/** Complete queries with one parameter twice. */
const repeatedParameters = (run: Run, operation: Operation): Garbage[] =>
  operation.queryParameters.map((name) => withQuery(run, operation, `${name}=assay&${name}=assay`));

/** Values for each parameter of the operations. */
function parameterRequests(
  run: Run,
  targets: readonly Operation[],
  valuesFor: (name: string) => readonly string[],
  flawOf?: (value: string) => string,
): Garbage[] {
  return targets.flatMap((operation) =>
    operation.queryParameters.flatMap((name) =>
      valuesFor(name).map((value) => {
        const query = new URLSearchParams(completeQuery(run, operation));
        query.set(name, value);
        const request = { ...plain(run, operation), path: `${pathOf(run, operation)}?${query.toString()}` };
        return flawOf === undefined ? request : { ...request, flaw: flawOf(value) };
      }),
    ),
  );
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

/** Adds it to the required parameters, so that it is the only mistake. */
export function withQuery(run: Run, operation: Operation, query: string): Garbage {
  const complete = completeQuery(run, operation);
  return { ...plain(run, operation), path: `${pathOf(run, operation)}?${complete}${complete && '&'}${query}` };
}

function withHeader(run: Run, operation: Operation, [name, value]: readonly [string, string]): Garbage {
  const request = plain(run, operation);
  return { ...request, headers: { ...request.headers, [name.replace('{brand}', run.target.brand)]: value } };
}

/** One per surface. */
function hugeRequests(run: Run, targets: readonly Operation[]): Garbage[] {
  const first = targets.filter(
    ({ surface }, index) => targets.findIndex((other) => other.surface === surface) === index,
  );
  return first.map((operation) => withBody(run, operation, hugeBody));
}

const MAX_SHOWN_LENGTH = 200;

/** What a report shows of a request. */
export function summaryOf({ operation, method, path, headers, body }: Garbage): object {
  const shorten = (text: string): string =>
    text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}… (${text.length} characters)` : text;
  return {
    ...(operation && { operation: operation.id }),
    method,
    path: shorten(path),
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shorten(String(value))])),
    }),
    ...(body !== undefined && { body: typeof body === 'string' ? shorten(body) : `bytes ${[...body].join(' ')}` }),
  };
}
