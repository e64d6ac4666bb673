/** Checks the documented elements and their excuses. */
import { expect, test } from 'vitest';
import { documentOf } from '../documents.ts';
import { eachOperation, surfaces } from '../openapi-document.ts';
import type { Call } from './element.ts';
import { elements } from './elements.ts';
import { elementExcuses, undocumentedElements } from './excuses.ts';
import { requestElements } from './request-elements.ts';
import { responseElements } from './response-elements.ts';

const names = elements.map(({ operation, element }) => `${operation} ${element}`);

const NO_CALL: Call = {
  query: new URLSearchParams(),
  headers: new Map(),
  body: undefined,
  status: 200,
  responseHeaders: {},
  responseBody: undefined,
};

/** The names of the elements of an operation that a call contains. */
const elementsIn = (operation: string, call: Partial<Call>): string[] =>
  elements
    .filter((each) => each.operation === operation && each.isIn({ ...NO_CALL, ...call }))
    .map(({ element }) => element);

test('every element has a name of its own', () => {
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('every excuse matches an element', () => {
  const unused = elementExcuses.filter((each) => !names.some((name) => each.elements.test(name)));
  expect(unused).toEqual([]);
  const all = surfaces.flatMap((surface) => {
    const document = documentOf(surface);
    return eachOperation(document).flatMap((found) => [
      ...requestElements(document, found),
      ...responseElements(document, found),
    ]);
  });
  const allNames = all.map(({ operation, element }) => `${operation} ${element}`);
  expect(undocumentedElements.filter((each) => !allNames.some((name) => each.elements.test(name)))).toEqual([]);
});

test.each([
  ['a parameter and its bound', { query: new URLSearchParams('limit=100') }, ['query limit', 'query limit = 100']],
  ['an enum value', { query: new URLSearchParams('resolution=daily') }, ['query resolution = daily']],
  [
    'a value outside its enum',
    { query: new URLSearchParams('resolution=d') },
    ['query resolution = an unlisted value'],
  ],
  ['a missing parameter', {}, ['without query startTime', 'without query endTime']],
  [
    'the longest window of a resolution',
    { query: new URLSearchParams('resolution=hourly&startTime=2026-01-01T00:00:00Z&endTime=2026-01-08T00:00:00Z') },
    ['query resolution = hourly over P7D'],
  ],
  [
    'a window that is too long',
    { query: new URLSearchParams('resolution=daily&startTime=2026-01-01T00:00:00Z&endTime=2026-04-01T01:00:00Z') },
    ['query resolution = daily over more than P90D'],
  ],
  [
    'a field of the response',
    { responseBody: { data: [{}, { timeseries: [{ cost: 1 }] }] } },
    ['response 200 data[].timeseries[].cost'],
  ],
])('a metrics query exercises %s', (_, call, expected) => {
  expect(elementsIn('getAccountMetrics', call)).toEqual(expect.arrayContaining(expected));
});

test.each([
  ['x'.repeat(62), ['body metadata.displayName of 62 characters']],
  ['é'.repeat(63), ['body metadata.displayName of 63 characters']],
  ['x'.repeat(64), ['body metadata.displayName of 64 characters']],
  ['x', []],
])('lengths are counted in characters: %j', (displayName, expected) => {
  const found = elementsIn('createVpc', { body: { metadata: { name: 'a', displayName }, spec: {} } });
  expect(found.filter((each) => /\.displayName of/.test(each))).toEqual(expected);
});

test('the fields of lists and maps are found, null is absent', () => {
  const body = { metadata: { labels: { a: 'b' } }, spec: { triggers: [{}, { type: 'cron', enabled: null }] } };
  const found = elementsIn('updateAgent', { body });
  expect(found).toEqual(
    expect.arrayContaining([
      'body metadata.labels.*',
      'body spec.triggers with several elements',
      'body spec.triggers[].type = cron',
      'without body metadata.name',
    ]),
  );
  expect(found).not.toContain('body spec.triggers[].enabled');
});

test('the fields of a form are found', () => {
  const headers = new Map([['content-type', 'application/x-www-form-urlencoded']]);
  expect(elementsIn('requestToken', { headers, body: { grant_type: 'client_credentials' } })).toEqual(
    expect.arrayContaining(['body of application/x-www-form-urlencoded', 'body grant_type']),
  );
});
