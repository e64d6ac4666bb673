/** What a run prints as a curl line, the page of its report reads back: the page shows the exchange of that very request. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { curlLines, headOf, readCurl } from '../../reports/html/page/curl-request.ts';
import { curlLine } from '../../spec/curl.ts';
import { curlScript } from '../../suites/target/curl-script.ts';
import type { SentRequest } from '../../suites/target/exchange.ts';

const placeholders = new Set(['$SVC_ADMIN_TOKEN']);

const piece = fc.oneof(
  fc.constantFrom(
    '$SVC_ADMIN_TOKEN',
    "'",
    '"',
    '\\',
    '# x',
    '; ',
    ': ',
    ':',
    ' -H ',
    'curl',
    '$HOME',
    '\\303',
    '\n',
    '\u202e',
  ),
  fc.string({ unit: 'grapheme' }),
);
const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
const sent: fc.Arbitrary<SentRequest> = fc.record(
  {
    method: fc.constantFrom('GET', 'PUT', 'DELETE'),
    url: text.map((rest) => `http://a/${rest}`),
    headers: fc.dictionary(
      fc.constantFrom('Authorization', 'svc-version', 'X-A'),
      fc.oneof(text, fc.array(text, { minLength: 2, maxLength: 3 })),
    ),
    body: text,
  },
  { requiredKeys: ['method', 'url', 'headers'] },
);

const lowerCased = (headers: SentRequest['headers']): SentRequest['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

test('a curl line reads back as the request that it was made of', () => {
  const holds = (request: SentRequest): void => {
    const { method, url, headers, body = null } = request;
    const head = headOf({ method, url, headers: lowerCased(headers), body });
    expect(readCurl(curlLine(request, placeholders))).toEqual({ url, head, body });
  };
  fc.assert(fc.property(sent, holds), { seed: 1, numRuns: 500 });
});

test.each([
  ['a long body', { body: 'x'.repeat(200_000) }],
  ['a body of bytes', { body: '\u00ff', bytes: true as const }],
])('%s is not in its line', (_, over) => {
  const line = curlLine({ method: 'PUT', url: 'http://a/', headers: {}, ...over }, placeholders);
  expect(readCurl(line).body).toBeUndefined();
});

test('the lines of a script read back as its requests, those that were sent at once and streams too', () => {
  const readsBack = (requests: readonly SentRequest[]): void => {
    const first = requests.slice(0, 1);
    const streams = first.flatMap((request) => [{ opens: request }, { closes: request }, { opens: request }]);
    const script = curlScript([requests, first, ...streams], placeholders);
    const alone = [...requests, ...first, ...first, ...first].map((request) => curlLine(request, placeholders));
    expect(curlLines(script).map(readCurl)).toEqual(alone.map(readCurl));
  };
  fc.assert(fc.property(fc.array(sent, { minLength: 1, maxLength: 3 }), readsBack), { seed: 1, numRuns: 200 });
});
