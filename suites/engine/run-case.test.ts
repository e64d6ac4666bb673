import { readFile } from 'node:fs/promises';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HarnessError, ResponsesTooLargeError } from '../target/transport.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { describeSource } from '../../spec/requirements/source.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { ExchangeRecord } from '../../spec/verdicts.ts';
import { status } from '../expect/status.ts';
import { runCase, startCase } from './run-case.ts';
import type { Case } from './run-case.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../testing/local-server.ts';
import { ADMIN, openTestContext, testExchange } from '../testing/test-run.ts';
import type { TestRun } from '../testing/test-run.ts';
import { citing, NotTried } from '../target/violation.ts';
import type { Mismatch } from '../target/violation.ts';

const MUST = 'metrics.group-by.at-most-three';
const OBSERVE = 'metrics.pagination.order';
const ORDER = 'by names, ascending';

interface Tried {
  id?: RequirementId;
  respond?: (received: ReceivedRequest) => LocalResponse | 'break';
  run?: Omit<TestRun, 'address'>;
}

async function outcomeOf(
  tries: Case['try'],
  { id = MUST, respond: response = () => ({}), run = {} }: Tried = {},
): Promise<CaseOutcome> {
  await using server = await localServer(response);
  const { context, close } = openTestContext({ address: server.address, ...run });
  try {
    return await runCase({ rule: requirement(id), try: tries }, context);
  } finally {
    await close();
  }
}

const resultOf = async (tries: Case['try'], tried?: Tried) => (await outcomeOf(tries, tried)).result;

test('a check without mismatches passes', async () => {
  expect(await resultOf(async (run) => run.check([]))).toMatchObject({ id: MUST, verdict: 'passed', exchanges: 0 });
});

test('a case that ends without a check is an error: nothing was tested', async () => {
  expect(await resultOf(async () => {})).toMatchObject({ verdict: 'error', reason: 'nothing was tested' });
});

test('a failing check quotes its own source, and all of the rule if its source is of another rule', async () => {
  const SPEAKS = 'mcp.functions.speaks-streamable-http';
  const mismatch = { expected: 'a', actual: 'b', exchange: testExchange };
  const resources = { agent: 'demo-agent', function: 'tools' };
  const tried = { id: SPEAKS, run: { target: { resources } } } as const;
  const of = (...findings: Mismatch[][]) => resultOf(async (run) => run.check(...findings), tried);
  const cited = citing(mcpSources.accepted, [mismatch]);
  expect((await of(cited)).counterexample?.sources).toEqual([describeSource(mcpSources.accepted)]);
  expect((await of(cited, [mismatch])).counterexample).not.toHaveProperty('sources');
  const foreign = await of(citing(mcpSources.parseError, [mismatch]));
  expect(foreign.verdict).toBe('failed');
  expect(foreign.counterexample).not.toHaveProperty('sources');
});

test.each([
  ['/organizations is an array', 'an object', ['avatar_url']],
  ['/repositories/0/isBl is a boolean', '"true"', ['isBl']],
  ['/params is an object', 'a string', undefined],
])('a difference between "%s" and "%s" quotes the sentence that is about it', async (expected, actual, words) => {
  const mismatches = [{ expected, actual, exchange: testExchange }];
  const tried = {
    id: 'integrations.get.provider-shape',
    run: { target: { resources: { integration: 'git' } } },
  } as const;
  const { counterexample } = await resultOf(async (run) => run.check(mismatches), tried);
  expect(counterexample?.sources).toEqual(words?.map((each) => expect.stringContaining(each) as string));
});

test('a check with a mismatch fails with expected, actual and a curl line', async () => {
  const result = await resultOf(async (run) => {
    run.check(status(await run.client.call('listMetricsGroupBy'), 400));
  });
  expect(result).toMatchObject({
    verdict: 'failed',
    reason: 'status 200, expected status 400',
    exchanges: 1,
    counterexample: { expected: 'status 400', actual: 'status 200', seed: 1, path: '' },
  });
  expect(result.counterexample?.curl).toContain(`'Authorization: Bearer '"$SVC_ADMIN_TOKEN"`);
});

test('every mismatch of a check is reported, not only the first', async () => {
  const mismatch = (name: string) => [{ expected: `${name} there`, actual: `no ${name}`, exchange: testExchange }];
  const { counterexample } = await resultOf(async (run) => run.check(mismatch('a'), [], mismatch('b')));
  expect(counterexample).toMatchObject({ expected: 'a there; b there', actual: 'no a; no b' });
});

test('a missing need is not tried, and nothing is sent', async () => {
  const result = await resultOf(async (run) => run.check([]), { id: 'metrics.roles.member-may-ask-the-rest' });
  expect(result).toMatchObject({
    verdict: 'not-tried',
    exchanges: 0,
    reason: expect.stringMatching(/^member: /) as string,
    missing: 'member',
  });
});

test('a credential that the target lacks is not tried', async () => {
  expect(await resultOf(async (run) => void run.as('unrelated'))).toMatchObject({
    verdict: 'not-tried',
    missing: 'noscope',
  });
});

test('a need that is found missing later is not tried, even after a successful check', async () => {
  const result = await resultOf(async (run) => {
    run.check([]);
    run.need(undefined, 'a second page');
  });
  expect(result).toMatchObject({ verdict: 'not-tried', reason: 'a second page' });
});

test('a case may name a need of the catalogue, which is then described as if it were found before the case', async () => {
  const result = await resultOf(async (run) => void run.need(undefined, 'write'));
  const reason = 'write: --allow write (to create and change resources)';
  expect(result).toMatchObject({ verdict: 'not-tried', reason, missing: 'write' });
});

test('a broken connection is an error, never failed', async () => {
  const result = await resultOf(async (run) => run.check(status(await run.client.call('listAccounts'), 200)), {
    respond: () => 'break',
  });
  expect(result.verdict).toBe('error');
  expect(result.exchanges).toBe(1);
});

test('an exception in a case is an error, described without names of our files', async () => {
  const result = await resultOf(async () => {
    throw new TypeError('undefined is not a function');
  });
  expect(result).toMatchObject({ verdict: 'error', reason: 'a mistake in assay: undefined is not a function' });
});

test('a change that was sent twice because of a broken connection proves nothing', async () => {
  let count = 0;
  const result = await resultOf(
    async (run) =>
      run.check(
        status(
          await run.client.call('deleteSandboxPreviewToken', {
            path: { sandboxName: 's', previewName: 'p', tokenName: 't' },
          }),
          200,
        ),
      ),
    { respond: () => ((count += 1) === 1 ? 'break' : { status: 404 }), run: { allow: 'write' } },
  );
  expect(result).toMatchObject({
    verdict: 'error',
    reason: expect.stringMatching(/^the connection broke and a DELETE/),
  });
});

test('an observing case is observed, an error without observations, and not tried on undocumented responses', async () => {
  const observed = await outcomeOf(async (run) => run.observe('the order of groups', ORDER), { id: OBSERVE });
  expect(observed.result.verdict).toBe('observed');
  expect(observed.observations).toEqual([{ id: OBSERVE, what: 'the order of groups', saw: ORDER, value: ORDER }]);
  expect(await resultOf(async () => {}, { id: OBSERVE })).toMatchObject({
    verdict: 'error',
    reason: 'nothing was observed',
  });
  const judging = await resultOf(async (run) => run.check([{ expected: 'a', actual: 'b', exchange: testExchange }]), {
    id: OBSERVE,
  });
  expect(judging).toMatchObject({ verdict: 'not-tried', reason: 'a documented response (b, expected a)' });
});

test('observations made before a missing need are reported', async () => {
  const outcome = await outcomeOf(
    async (run) => {
      run.observe('the order of groups', ORDER);
      throw new NotTried('a second page');
    },
    { id: OBSERVE },
  );
  expect(outcome.result).toMatchObject({
    verdict: 'observed',
    reason: expect.stringContaining('a second page') as string,
  });
});

test('a failing property shrinks to the smallest input, and its seed and path reproduce it', async () => {
  const tries: Case['try'] = (run) =>
    run.forAll({ size: fc.integer({ min: 0, max: 1000 }) }, async ({ size }) => {
      const exchange = await run.client.send({ surface: 'management', method: 'GET', path: `/things?size=${size}` });
      return status(exchange, 200);
    });
  const response = ({ url }: ReceivedRequest) => ({ status: Number(/size=(\d+)/.exec(url)?.[1]) >= 17 ? 400 : 200 });
  const { counterexample } = await resultOf(tries, { respond: response });
  expect(counterexample).toMatchObject({ input: { size: 17 }, expected: 'status 200', actual: 'status 400' });
  expect(counterexample?.curl).toContain('/v0/things?size=17');
  const { seed, path: found } = counterexample!;
  const again = fc.check(
    fc.property(fc.record({ size: fc.integer({ min: 0, max: 1000 }) }), ({ size }) => size < 17),
    { seed, path: found },
  );
  expect(again.counterexample).toEqual([{ size: 17 }]);
});

test('examples are tested before generated inputs', async () => {
  const sizes: number[] = [];
  const result = await resultOf((run) =>
    run.forAll({ size: fc.nat() }, async ({ size }) => (sizes.push(size), []), {
      examples: [{ size: -1 }, { size: -2 }],
      runs: 3,
    }),
  );
  expect(result.verdict).toBe('passed');
  expect(sizes.slice(0, 2)).toEqual([-1, -2]);
  expect(sizes).toHaveLength(5);
});

test('a harness error in a property is an error without a counterexample or shrinking', async () => {
  let count = 0;
  const result = await resultOf((run) =>
    run.forAll({ size: fc.nat() }, async () => {
      count += 1;
      throw new Error('ours');
    }),
  );
  expect(result).toMatchObject({ verdict: 'error', reason: 'a mistake in assay: ours' });
  expect(count).toBe(1);
});

test('a property that cannot generate an input is an error', async () => {
  const result = await resultOf((run) => run.forAll({ size: fc.nat() }, async () => (fc.pre(false), [])));
  expect(result.verdict).toBe('error');
});

test('success responses are validated against their schema without failing the case', async () => {
  const outcome = await outcomeOf(
    async (run) => {
      await run.client.call('listMetricsGroupBy');
      run.check([]);
    },
    { respond: () => ({ body: { values: 'none' } }) },
  );
  expect(outcome.result.verdict).toBe('passed');
  expect(outcome.shapes).toMatchObject({ fitted: 0, misfitted: 1 });
  expect(outcome.shapes.misfits[0]?.actual).toContain('values');
});

test('a response whose status permits no body is not validated', async () => {
  const outcome = await outcomeOf(
    async (run) => {
      await run.client.call('listMetricsGroupBy');
      run.check([]);
    },
    { respond: () => ({ status: 204 }) },
  );
  expect(outcome.shapes).toMatchObject({ fitted: 0, misfitted: 0 });
});

test('outcomes and written exchanges contain no secret, even if the target repeats it', async () => {
  const exchangesFile = path.join(await mkdtemp(path.join(tmpdir(), 'assay-test-')), 'exchanges.ndjson');
  const response = ({ headers }: ReceivedRequest): LocalResponse => ({
    headers: { 'X-Echo': headers.authorization ?? '' },
    body: { saw: headers.authorization, access_token: 'marked-fresh', [ADMIN]: [`${ADMIN}x`] },
  });
  const outcome = await outcomeOf(
    async (run) => {
      const exchange = await run.client.call('listAccounts', { query: { q: ADMIN }, headers: { 'X-Again': ADMIN } });
      const altered = run.as({ token: `${ADMIN.slice(0, -1)}T` });
      await altered.call('listAccounts', { body: { note: 'marked-fresh' } });
      run.check([{ expected: 'another', actual: exchange.response.text, exchange }]);
    },
    { respond: response, run: { exchangesFile } },
  );
  expect(outcome.result.verdict).toBe('failed');
  const written = await readFile(exchangesFile, 'utf8');
  expect(written.trim().split('\n')).toHaveLength(2);
  for (const text of [JSON.stringify(outcome), written]) {
    expect(text).toContain('$SVC_ADMIN_TOKEN');
    expect(text).not.toContain('marked-');
  }
});

test('id, text and verdict of a rule are unchanged even if a secret equals one of their words', async () => {
  const credentials = { admin: { value: 'at-most', name: 'A' }, apiKey: { value: 'observed', name: 'K' }, scoped: {} };
  const run = { target: { credentials } };
  expect(await resultOf(async (tried) => tried.check([]), { run })).toMatchObject({
    id: MUST,
    rule: requirement(MUST).rule,
    verdict: 'passed',
  });
  const { result, observations } = await outcomeOf(async (tried) => tried.observe('the order of groups', ORDER), {
    id: OBSERVE,
    run: {
      target: {
        credentials: { ...credentials, admin: { value: ORDER, name: 'A' }, member: { value: 'pagination', name: 'M' } },
      },
    },
  });
  expect(result).toMatchObject({ id: OBSERVE, verdict: 'observed' });
  expect(observations).toEqual([{ id: OBSERVE, what: 'the order of groups', saw: '$A', value: '$A' }]);
});

test('a token is renewed before it is sent if renewal is due', async () => {
  const client = { tokenUrl: '', id: 'me', secret: { value: 'of-the-client', name: 'S' } };
  await using issuer = await localServer(() => ({ body: { access_token: 'fresh-token', expires_in: 300 } }));
  const renewal = {
    client: { ...client, tokenUrl: `${issuer.address}/token` },
    at: 'credentials.admin',
    due: 0,
    end: 0,
  };
  const credentials = { admin: { value: 'stale-token', name: 'A', renewal }, scoped: {} };
  const carried: unknown[] = [];
  const response = ({ headers }: ReceivedRequest): LocalResponse => {
    carried.push(headers.authorization);
    return { body: headers.authorization };
  };
  const tries: Case['try'] = async (run) => run.check(status(await run.client.call('listMetricsGroupBy'), 400));
  const result = await resultOf(tries, { respond: response, run: { target: { credentials } } });
  expect(carried).toEqual(['Bearer fresh-token']);
  expect(JSON.stringify(result)).not.toContain('fresh-token');
});

test('control characters are escaped', async () => {
  const exchangesFile = path.join(await mkdtemp(path.join(tmpdir(), 'assay-test-')), 'exchanges.ndjson');
  const hostile = 'a\u009b31m\u202e\u2028\u{e0041}';
  await outcomeOf(async (run) => void (await run.client.call('listAccounts')), {
    respond: () => ({ body: { hostile } }),
    run: { exchangesFile },
  });
  const written = await readFile(exchangesFile, 'utf8');
  expect(written).not.toMatch(/[\u009b\u202e\u2028\u{e0041}]/u);
  const { answer: response } = JSON.parse(written) as ExchangeRecord;
  expect(JSON.parse(response?.body ?? '')).toEqual({ hostile });
});

test('a first round in which nothing applies is followed by the second one at once', async () => {
  const tested: number[] = [];
  const { context } = openTestContext({ address: 'http://127.0.0.1:9' });
  const only = { ...context, maxRounds: 1 };
  const tries: Case['try'] = (run) =>
    run.forEach([0, 1, 2], async (number) => (tested.push(number), []), { firstCount: 0 });
  const { result } = await runCase({ rule: requirement(MUST), try: tries }, only);
  expect([result.verdict, tested]).toEqual(['passed', [0, 1, 2]]);
});

test('a first round in which nothing can be judged is followed by the second one at once', async () => {
  const { context } = openTestContext({ address: 'http://127.0.0.1:9' });
  const tries: Case['try'] = async (run) => {
    let judged = 0;
    await run.forEach([0, 1, 2], async (number) => ((judged += number === 2 ? 1 : 0), []));
    run.need(judged, 'an input that can be judged');
  };
  const { result } = await runCase({ rule: requirement(MUST), try: tries }, { ...context, maxRounds: 1 });
  expect(result).toMatchObject({ verdict: 'passed', inputs: 3 });
});

test('a rule of which all inputs were skipped is not tried, however often each was', async () => {
  const skipsAll = await resultOf(async (run) =>
    run.forEach([1, 2, 3], async () => [...run.skipInput('a color'), ...run.skipInput('a shape')], {
      sequential: false,
    }),
  );
  expect(skipsAll).toMatchObject({ verdict: 'not-tried', reason: 'a color' });
});

test('a rule with inputs that hold passes, and says how many were skipped', async () => {
  const skipsOne = await resultOf(async (run) => {
    run.check(run.skipInput('a color'), run.skipInput('a color'), run.skipInput('a color'));
    await run.forEach([1, 2, 3], async (item) => {
      await Promise.resolve();
      return item === 1 ? [...run.skipInput('a color'), ...run.skipInput('a shape')] : [];
    });
  });
  expect(skipsOne).toMatchObject({ verdict: 'passed', reason: '2 of 4 inputs show nothing; missing: a color' });
});

test('an error in the first round stays one if another property has no inputs in it', async () => {
  const { context } = openTestContext({ address: 'http://127.0.0.1:9' });
  const tries: Case['try'] = async (run) => {
    await run.forEach([0, 1, 2], async () => [], { firstCount: 0 });
    await run.forEach([0, 1, 2], () => Promise.reject(new HarnessError('no response')));
  };
  const { result } = await runCase({ rule: requirement(MUST), try: tries }, { ...context, maxRounds: 1 });
  expect(result).toMatchObject({ verdict: 'error', reason: 'no response' });
});

test('a rule whose first inputs are in the second round is not tried if the time is up', async () => {
  const { context } = openTestContext({ address: 'http://127.0.0.1:9' });
  const late = { ...context, maxRounds: 1, isTimeUp: () => true };
  const tries: Case['try'] = (run) => run.forEach([0, 1, 2], async () => [], { firstCount: 0 });
  const { result, isCut } = await runCase({ rule: requirement(MUST), try: tries }, late);
  expect([result.verdict, isCut]).toEqual(['not-tried', true]);
});

test('a read-only run does not try rules that need a write', async () => {
  const result = await resultOf(async (run) => {
    await run.client.call('createAgent', { body: { metadata: { name: run.newName() }, spec: {} } });
    run.check([]);
  });
  expect(result).toMatchObject({ verdict: 'not-tried', exchanges: 0 });
});

test('names of a run have its prefix, are unique and within the length limit', async () => {
  await resultOf(async (run) => {
    const names = Array.from({ length: 100 }, () => run.newName());
    expect(new Set(names).size).toBe(100);
    for (const name of names) expect(name).toMatch(/^assay-test-[a-z0-9]{1,38}$/);
    run.check([]);
  });
});

test('a case that begins again keeps the elements that it has exercised', async () => {
  await using server = await localServer(() => ({}));
  const { context, close } = openTestContext({ address: server.address });
  let count = 0;
  const tries: Case['try'] = async (run) => {
    count += 1;
    if (count > 1) return run.check([]);
    await run.client.call('listAccounts');
    throw new ResponsesTooLargeError();
  };
  const started = startCase({ rule: requirement(MUST), try: tries }, context, true);
  while (await started.next());
  expect(started.end().exercised).toContainEqual({ operation: 'listAccounts', element: 'the operation' });
  await close();
});
