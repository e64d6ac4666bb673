/** A rule about several operations, of which the user declares one. */
import { expect, test } from 'vitest';
import { brokenByOther, NOT_DECLARED } from '../../spec/missing-operation.ts';
import { requirement } from '../../spec/requirements/index.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import { status } from '../expect/status.ts';
import { Violation } from '../target/violation.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';
import type { CallerName } from './callers.ts';
import { runCase } from './run-case.ts';
import type { Case } from './run-case.ts';
import type { Run } from './run.ts';

/** `other`: the status of the operation that is not declared. */
async function resultOf(tries: Case['try'], other = (_url: string) => 200): Promise<RuleResult> {
  await using server = await localServer(({ url, headers }) => {
    if (!url.endsWith('/accounts')) return { status: other(url) };
    return { status: headers.authorization === undefined ? 401 : 200 };
  });
  const target = { operations: ['listAccounts'] as const, resources: { integration: 'slack' } };
  const { context, close } = openTestContext({ address: server.address, target });
  try {
    return (
      await runCase(
        { rule: requirement('auth.management.credential-required'), try: tries },
        { ...context, maxRounds: 2 },
      )
    ).result;
  } finally {
    await close();
  }
}

const BROKEN = brokenByOther('GET /integrations/{integrationName}', 200);

const ids = ['getIntegration', 'listAccounts'] as const;

/** Of a rule about both operations. */
const resultIfBroken = (broken: readonly string[], other = 200, caller: CallerName = 'admin'): Promise<RuleResult> =>
  resultOf(
    (run) =>
      run.forEach(ids, async (id) => {
        const input = id === 'listAccounts' ? {} : { path: { integrationName: 'slack' } };
        const exchange = await run.as(caller).call(id, input);
        return broken.includes(id) ? status(exchange, 401) : [];
      }),
    () => other,
  );

test.each([[['getIntegration', 'listAccounts']], [['listAccounts']]])(
  'a declared operation breaks a rule about several, if it does so beside others (%j)',
  async (broken) => {
    const { verdict, counterexample } = await resultIfBroken(broken);
    expect(verdict).toBe('failed');
    expect(counterexample?.request?.url).toMatch(/accounts$/);
  },
);

test('a rule is neither failed nor passed if only an operation breaks it that is not declared', async () => {
  const { verdict, reason } = await resultIfBroken(['getIntegration']);
  expect({ verdict, reason }).toEqual({ verdict: 'not-tried', reason: BROKEN });
  expect(await resultIfBroken([])).toMatchObject({ verdict: 'passed' });
});

test.each([
  [404, 'admin'],
  [404, 'none'],
  [405, 'admin'],
  [501, 'none'],
] as const)(
  'a rule that a declared operation keeps passes, although another one is missing (%d, credential: %s)',
  async (other, caller) => {
    expect(await resultIfBroken(['getIntegration'], other, caller)).toMatchObject({
      verdict: 'passed',
      reason: `1 of 2 inputs show nothing; missing: ${NOT_DECLARED}`,
    });
  },
);

test('a rule does not pass if the exchange of another case breaks it, with an operation that is not declared', async () => {
  await using server = await localServer(() => ({}));
  const { context, close } = openTestContext({ address: server.address });
  const judging = { ...context.judging!, undeclaredOf: () => [{ id: 'getIntegration', status: 200 } as const] };
  const rule = requirement('auth.management.credential-required');
  const { result } = await runCase({ rule, try: async (run) => run.check([]) }, { ...context, judging });
  expect(result).toMatchObject({ verdict: 'not-tried', reason: BROKEN, missing: 'operations' });
  await close();
});

const readInTurn = (run: Run) =>
  run.forEach(['slack', 'github'], async (integrationName) => {
    const exchange = await run.client.call('getIntegration', { path: { integrationName } });
    return integrationName === 'slack' ? status(exchange, 401) : [];
  });

test.each([404, 405, 501])('a rule is not selected if the other operation is missing (%d)', async (other) => {
  const { verdict, reason, missing } = await resultOf(readInTurn, () => other);
  expect({ verdict, reason, missing }).toEqual({ verdict: 'not-tried', reason: NOT_DECLARED, missing: undefined });
});

test.each([404, 500])(
  'a rule does not pass if the other operation returns %d to one request, and 200 to another',
  async (other) => {
    const { verdict, reason } = await resultOf(readInTurn, (url) => (url.endsWith('/github') ? 200 : other));
    expect({ verdict, reason }).toEqual({
      verdict: 'not-tried',
      reason: brokenByOther('GET /integrations/{integrationName}', other),
    });
  },
);

test('what an operation shows that is not declared comes before what an input lacks', async () => {
  const { reason } = await resultOf((run) =>
    run.forEach([1], async () => {
      run.skipInput('a color');
      return status(await run.client.call('getIntegration', { path: { integrationName: 'slack' } }), 401);
    }),
  );
  expect(reason).toBe(BROKEN);
});

test('a rule does not pass if only a later round shows that', async () => {
  const { verdict, reason } = await resultOf((run) =>
    run.forEach(
      ids.toReversed(),
      async (id) => {
        const exchange = await run.client.call(id, id === 'listAccounts' ? {} : { path: { integrationName: 'slack' } });
        return id === 'getIntegration' ? status(exchange, 401) : [];
      },
      { firstCount: 1 },
    ),
  );
  expect({ verdict, reason }).toEqual({ verdict: 'not-tried', reason: BROKEN });
});

test('a check that only another operation breaks ends the rule', async () => {
  const read = (run: Run) => run.client.call('getIntegration', { path: { integrationName: 'slack' } });
  const notSelected = { verdict: 'not-tried', reason: BROKEN, missing: 'operations' };
  const checked = resultOf(async (run) => {
    run.check(status(await read(run), 401));
    // What comes next may need that it holds.
    run.check([]);
  });
  expect(await checked).toMatchObject(notSelected);
  const thrown = resultOf(async (run) => {
    throw new Violation(status(await read(run), 401));
  });
  expect(await thrown).toMatchObject(notSelected);
});

test('a declared operation breaks a rule in a later round, although another breaks it in the first one', async () => {
  const inputs = [
    { path: { integrationName: 'slack' }, isBroken: true },
    { path: undefined, isBroken: false },
    { path: undefined, isBroken: true },
  ];
  const { verdict } = await resultOf((run) =>
    run.forEach(
      inputs,
      async ({ path, isBroken }) => {
        const exchange = await (path ? run.client.call('getIntegration', { path }) : run.client.call('listAccounts'));
        return isBroken ? status(exchange, 401) : [];
      },
      { firstCount: 2 },
    ),
  );
  expect(verdict).toBe('failed');
});
