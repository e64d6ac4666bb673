import { describe, expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { judgeExchanges, type Described } from '../testing/judge-exchanges.ts';

// Loads the suite files of these rules, and those of rules that refuse updates.
await collectCases(['agents.runtime.generation-known', 'errors.management.is-json', 'errors.robustness.never-5xx']);

const page = { text: '<html>', responseHeaders: { 'content-type': 'text/html' } };
const update = (more: Partial<Described>): Described => ({
  method: 'PUT',
  url: '/agents/helper',
  sent: { metadata: { name: 'helper' }, spec: {} },
  ...more,
});
const invalid = { metadata: { name: 'helper' }, spec: { runtime: { generation: 'mk9' } } };

describe('an error that is not JSON', () => {
  const judge = (given: Described) => judgeExchanges('errors.management.is-json', [given])[0];

  test.each([400, 401, 403, 404, 413, 429, 500, 503])('may be that of a gateway: %i', (status) => {
    expect(judge(update({ status, ...page }))).toBe('says nothing');
    expect(judge({ url: '/accounts/acc-1/metrics?groupBy=workspace', status, credential: null, ...page })).toBe(
      'says nothing',
    );
  });

  test.each<[string, Described]>([
    ['no credential', update({ status: 401, credential: null })],
    ['an invalid configuration', update({ status: 400, sent: invalid })],
    ['a member who asks for workspaces', { url: '/accounts/acc-1/metrics?groupBy=workspace', status: 403 }],
  ])('is documented as JSON for %s', (_, given) => {
    expect(judge({ ...given, ...page })).toBe('breaks');
    expect(judge({ ...given, received: { error: 'invalid', message: 'No.' } })).toBe('keeps');
  });

  test('may be about the URL', () => {
    expect(judge(update({ url: '/agents/%', status: 400, sent: invalid, ...page }))).toBe('says nothing');
  });

  test('is one of the API if it names the error', () => {
    const text = { responseHeaders: { 'content-type': 'text/plain' }, received: { error: 'forbidden' } };
    expect(judge(update({ status: 403, ...text }))).toBe('breaks');
  });
});

describe('a server error', () => {
  const judge = (...given: Described[]) => judgeExchanges('errors.robustness.never-5xx', given);
  const accounts = (status: number, url = '/accounts'): Described => ({ url, status });

  test('may be an outage', () => {
    expect(judge(accounts(500), accounts(500), accounts(200))).toEqual(['says nothing', 'says nothing', 'keeps']);
    expect(judge(accounts(500), accounts(200), accounts(500, '/accounts?a=1')).at(-1)).toBe('says nothing');
  });

  test('is caused by the input if the operation works for others', () => {
    expect(judge(accounts(500, '/accounts?a=%00'), accounts(200), accounts(500, '/accounts?a=%00')).at(-1)).toBe(
      'breaks',
    );
  });
});
