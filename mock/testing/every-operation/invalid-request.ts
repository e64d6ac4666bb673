/** What makes a valid request of an operation into garbage: changes of its method, path, query, headers, credential and body. */
import * as fc from 'fast-check';
import { operation, type OperationId } from '../../../spec/operations.ts';
import { oddCredentials, oddHeaders, oddMethods, oddQueries, oddSegments, oddText } from './odd-values.ts';
import type { Change, OperationRequest } from './request-types.ts';
import { mislabelledBody, oddBody, corruptedBytes, invalidForm, invalidJson } from './invalid-body.ts';

/** One or two changes; each alone leaves the rest of the request valid. */
export function invalidChanges(id: OperationId, usual: OperationRequest, otherTokens: readonly string[]) {
  const { pathParameters, hasBody } = operation(id);
  const change = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...oddMethods).map((method): Change => ({ method })) },
    { weight: pathParameters.length > 0 ? 3 : 0, arbitrary: path(id) },
    { weight: 3, arbitrary: query(id, usual.query) },
    { weight: 4, arbitrary: header },
    { weight: 1, arbitrary: credential(otherTokens) },
    { weight: hasBody ? 10 : 1, arbitrary: body(usual) },
  );
  return fc.array(change, { minLength: 1, maxLength: 2 });
}

const encodedText = oddText.map((text) => encodeURIComponent(text.toWellFormed()));

function path(id: OperationId): fc.Arbitrary<Change> {
  const { pathParameters } = operation(id);
  if (pathParameters.length === 0) return fc.constant({});
  const name = fc.constantFrom(...pathParameters.map((each) => each.name));
  const segment = fc.oneof(fc.constantFrom(...oddSegments), encodedText);
  return fc.tuple(name, segment).map(([at, value]) => ({ path: { [at]: value } }));
}

/** A known or unknown parameter with an odd value: instead of the valid one, in addition to it, or alone. */
function query(id: OperationId, usual: string): fc.Arbitrary<Change> {
  const name = fc.constantFrom(...operation(id).queryParameters, 'ignore', 'unknown', '__proto__', '');
  const without = (at: string) =>
    usual
      .split('&')
      .filter((pair) => pair !== '' && !pair.startsWith(`${at}=`))
      .join('&');
  const pair = fc.tuple(name, encodedText).chain(([at, value]) => {
    const odd = `${encodeURIComponent(at)}=${value}`;
    return fc.constantFrom(`${without(at)}&${odd}`, `${usual}&${odd}`, odd);
  });
  return fc.oneof({ weight: 4, arbitrary: pair }, fc.constantFrom(...oddQueries)).map((text) => ({ query: text }));
}

/** Characters that undici rejects in header values; it sends all others of Latin-1. */
// oxlint-disable-next-line no-control-regex
const NOT_IN_HEADERS = /[^\t\x20-\x7e\x80-\xff]/g;

const header: fc.Arbitrary<Change> = fc.constantFrom(...Object.entries(oddHeaders)).chain(([name, values]) =>
  fc
    .oneof(
      { weight: 2, arbitrary: fc.constantFrom(...values) },
      oddText.map((text) => text.replaceAll(NOT_IN_HEADERS, '')),
    )
    .map((value) => ({ headers: { [name]: value } })),
);

function credential(otherTokens: readonly string[]): fc.Arbitrary<Change> {
  const bearers = otherTokens.map((token) => `Bearer ${token}`);
  const value = fc.constantFrom(...oddCredentials, ...bearers);
  return fc.oneof(
    value.map((authorization) => ({ headers: { authorization } })),
    value.map((other) => ({ headers: { authorization: undefined, 'x-svc-authorization': other } })),
  );
}

function body({ body: sent, headers }: OperationRequest): fc.Arbitrary<Change> {
  const whole = oddBody.map((odd) => ({ body: odd }));
  if (typeof sent !== 'string') return whole;
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  const isJson = headers['content-type'] === 'application/json';
  return fc.oneof(
    whole,
    mislabelledBody(sent),
    corruptedBytes(sent).map((odd) => ({ body: odd })),
    ...(isForm ? [{ weight: 4, arbitrary: invalidForm(sent).map((odd) => ({ body: odd })) }] : []),
    ...(isJson ? [{ weight: 5, arbitrary: invalidJson(sent).map((odd) => ({ body: odd })) }] : []),
  );
}
