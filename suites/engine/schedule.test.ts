import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Allow } from '../../spec/formats/target-values.ts';
import { ResponsesTooLargeError } from '../target/transport.ts';
import { openTestContext, testExchange } from '../testing/test-run.ts';
import type { RunContext } from './run.ts';
import type { Run } from './run.ts';
import { schedule } from './schedule.ts';

const wait = (milliseconds = 5) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const mismatch = { expected: 'less', actual: 'more', exchange: testExchange };

const contextWith = (differs: Partial<RunContext> = {}, allow: Allow = 'write'): RunContext => {
  const { context } = openTestContext({ address: 'http://127.0.0.1:9', target: { allow } });
  return { ...context, concurrency: 16, ...differs };
};

type Tries = (run: Run) => Promise<void>;

async function outcomesOf(tries: Partial<Record<RequirementId, Tries>>, context = contextWith()) {
  const cases = Object.entries(tries).map(([id, each]) => ({ rule: requirement(id as RequirementId), try: each }));
  const outcomes = [...schedule(cases, context).values()];
  return (await Promise.all(outcomes)).map(({ result, isCut, isBailed }) => ({ ...result, isCut, isBailed }));
}

/** Counts how many cases run at the same time. */
function overlap() {
  let running = 0;
  const seen = { max: 0 };
  const tries: Tries = async (run) => {
    seen.max = Math.max(seen.max, (running += 1));
    await wait();
    run.check([]);
    running -= 1;
  };
  return { seen, tries };
}

test('cases run at the same time, up to the concurrency', async () => {
  const ids: RequirementId[] = [
    'metrics.cost.always-there',
    'metrics.answer.shape-and-echo',
    'metrics.usage.absent-otherwise',
  ];
  for (const concurrency of [1, 2, 16]) {
    const { seen, tries } = overlap();
    await outcomesOf(Object.fromEntries(ids.map((id) => [id, tries])), contextWith({ concurrency }));
    expect(seen.max).toBe(Math.min(concurrency, ids.length));
  }
});

test('the cases that take longest begin first', async () => {
  const order: string[] = [];
  const noting: Tries = async (run) => {
    order.push(run.rule.id);
    run.check([]);
  };
  const ids: RequirementId[] = [
    'vpcs.create.answers-resource',
    'auth.public-agent.closed-again',
    'errors.generic.statuses',
    'agents.update.round-trip',
  ];
  await outcomesOf(Object.fromEntries(ids.map((id) => [id, noting])), contextWith({ concurrency: 1 }));
  expect(order.slice(0, 2)).toEqual(['agents.update.round-trip', 'auth.public-agent.closed-again']);
});

test('cases that use the same resource run one after the other, unless the run only reads', async () => {
  const ids: RequirementId[] = ['inference.agents.threads-separate', 'resources.url.present-on-workloads'];
  for (const [allow, max] of [
    ['write', 1],
    ['read', 2],
  ] as const) {
    const { seen, tries } = overlap();
    await outcomesOf(Object.fromEntries(ids.map((id) => [id, tries])), contextWith({}, allow));
    expect(seen.max).toBe(max);
  }
});

test('a resource that exists more than once is used by several cases, each in its own slot', async () => {
  const slots: number[] = [];
  const tries: Tries = async (run) => {
    run.widen('agents', 2);
    slots.push(run.slotOf('agents'));
    await wait();
    run.check([]);
  };
  await outcomesOf({
    'inference.agents.threads-separate': tries,
    'inference.agents.answers': tries,
    'resources.url.present-on-workloads': tries,
  });
  expect(slots.toSorted((one, other) => one - other)).toEqual([0, 0, 1]);
});

test('a case has a slot of each resource that it uses', async () => {
  const context = contextWith();
  const resources = { agent: 'demo-agent', volume: { name: 'demo-volume', region: 'eu-1' } };
  const target = { ...context.target, resources };
  const slots: (readonly [number, number])[] = [];
  const attach: Tries = async (run) => {
    slots.push([run.slotOf('agents'), run.slotOf('volumes')]);
    await wait(40);
    run.check([]);
  };
  await outcomesOf(
    {
      'naming.labels.string-values': async (run) => {
        run.widen('agents', 3);
        run.widen('volumes', 2);
        await wait(40);
        run.check([]);
      },
      'agents.volumes.region-required': attach,
      'agents.volumes.mount-path-absolute': attach,
      'metrics.cost.always-there': async (run) => run.check([]),
    },
    { ...context, target },
  );
  expect(slots).toEqual([
    [1, 0],
    [2, 1],
  ]);
});

test('a case that uses a resource which its rule does not name ends with an error', async () => {
  const [result] = await outcomesOf({ 'metrics.cost.always-there': async (run) => void run.slotOf('agents') });
  expect(result?.verdict).toBe('error');
});

test('a case that may remove what others use runs alone', async () => {
  const order: string[] = [];
  const note =
    (name: string): Tries =>
    async (run) => {
      order.push(`${name} begins`);
      await wait();
      order.push(`${name} ends`);
      run.check([]);
    };
  const context = contextWith({}, 'destroy');
  const tried = { 'images.cleanup.answer-shape': note('alone'), 'metrics.cost.always-there': note('other') };
  await outcomesOf(tried, context);
  expect(order).toEqual(['other begins', 'other ends', 'alone begins', 'alone ends']);
});

/** Tests 20 inputs; records when. */
const twentyInputs =
  (tested: string[], name = ''): Tries =>
  async (run) => {
    await run.forEach(
      Array.from({ length: 20 }, (_, index) => index),
      async (index) => (tested.push(`${name}${index}`), []),
    );
  };

test('the first round of every case comes before later rounds, and each input is tested once', async () => {
  const tested: string[] = [];
  const context = contextWith({ concurrency: 1 });
  await outcomesOf(
    {
      'metrics.cost.always-there': twentyInputs(tested, 'a'),
      'metrics.answer.shape-and-echo': twentyInputs(tested, 'b'),
    },
    context,
  );
  expect(tested.slice(0, 4)).toEqual(['a0', 'a1', 'b0', 'b1']);
  expect(new Set(tested).size).toBe(40);
  expect(tested).toHaveLength(40);
});

test('in later rounds, too, cases that conflict with others come first', async () => {
  const tested: string[] = [];
  const slowInput = (name: string, slow: number): Tries => {
    const items = Array.from({ length: 20 }, (_, index) => index);
    return (run) =>
      run.forEach(items, async (index) => {
        if (index === slow) await wait(50);
        tested.push(`${name}${index}`);
        return [];
      });
  };
  await outcomesOf(
    {
      'inference.agents.answers': slowInput('conflicting', 0),
      'metrics.cost.always-there': slowInput('other', 2),
      'metrics.answer.shape-and-echo': slowInput('last', 20),
    },
    contextWith({ concurrency: 2 }),
  );
  expect(tested.indexOf('conflicting2')).toBeLessThan(tested.indexOf('last2'));
});

test('with one round, only the first inputs are tested', async () => {
  const tested: string[] = [];
  const [result] = await outcomesOf(
    { 'metrics.cost.always-there': twentyInputs(tested) },
    contextWith({ maxRounds: 1 }),
  );
  expect(tested).toEqual(['0', '1']);
  expect(result).toMatchObject({ verdict: 'passed', inputs: 2 });
});

test('a rule that only observes comes after the first round, and is not tried in a run with one round', async () => {
  const tested: string[] = [];
  const observing: Tries = async (run) => {
    await twentyInputs(tested, 'o')(run);
    run.observe('a displayName of 63 two-byte letters at createFunction' as never, 'accepted' as never);
  };
  const cases = { 'naming.name.duplicate-status': observing, 'metrics.cost.always-there': twentyInputs(tested, 'm') };
  const all = await outcomesOf(cases, contextWith({ concurrency: 1 }));
  expect(all.map(({ verdict }) => verdict)).toEqual(['observed', 'passed']);
  expect(tested.slice(0, 3)).toEqual(['m0', 'm1', 'o0']);
  expect(tested).toHaveLength(40);
  const [quick] = await outcomesOf(cases, contextWith({ maxRounds: 1 }));
  expect(quick).toMatchObject({
    verdict: 'not-tried',
    reason: 'a run without --quick',
    missing: 'inputs',
    exchanges: 0,
  });
});

test('if the time is limited, later rounds begin when all first rounds have ended', async () => {
  const ended: string[] = [];
  const slow: Tries = async (run) => {
    await run.forEach([1], async () => (await wait(30), ended.push('slow'), []));
  };
  const context = contextWith({ isTimeLimited: true });
  const cases = { 'metrics.cost.always-there': twentyInputs(ended), 'metrics.answer.shape-and-echo': slow };
  await outcomesOf(cases, context);
  expect(ended.indexOf('slow')).toBe(2);
  expect(ended).toHaveLength(21);
});

test('when the time is up, rules that have finished their first round keep their verdict', async () => {
  const tested: string[] = [];
  const context = contextWith({ concurrency: 1, isTimeUp: () => tested.length >= 3 });
  const results = await outcomesOf(
    {
      'metrics.cost.always-there': twentyInputs(tested),
      'metrics.answer.shape-and-echo': twentyInputs(tested),
      'metrics.usage.absent-otherwise': twentyInputs(tested),
    },
    context,
  );
  expect(results).toMatchObject([
    { verdict: 'passed', inputs: 2, isCut: true },
    { verdict: 'not-tried', reason: 'more time: the run ended before the first round of this rule', isCut: true },
    { verdict: 'not-tried', reason: 'more time: the run ended before the first round of this rule', isCut: true },
  ]);
});

test('a failure in a later round fails the rule, and a missing need in a later round does not change what earlier ones showed', async () => {
  let round = 0;
  const results = await outcomesOf({
    'metrics.cost.always-there': async (run) => {
      await run.forAll({ size: fc.nat() }, async () => []);
      await run.forEach([1, 2, 3, 4, 5], async (item) => (item === 4 ? [mismatch] : []));
    },
    'metrics.answer.shape-and-echo': async (run) => {
      await run.forEach([1, 2, 3, 4, 5], async () => []);
      run.need((round += 1) === 1, 'something that is used up');
    },
  });
  expect(results).toMatchObject([
    { verdict: 'failed', counterexample: { input: 4, path: '3', property: 2 } },
    { verdict: 'passed', inputs: 5 },
  ]);
});

test('a case whose responses do not fit into memory begins again when no other runs', async () => {
  const tested: string[] = [];
  let isFull = true;
  const results = await outcomesOf(
    {
      'metrics.cost.always-there': async (run) => {
        tested.push('large begins');
        if (isFull) throw new ResponsesTooLargeError();
        run.check([]);
      },
      'metrics.answer.shape-and-echo': async (run) => {
        await wait(20);
        tested.push('other ends');
        isFull = false;
        run.check([]);
      },
    },
    contextWith({ concurrency: 2 }),
  );
  expect(tested).toEqual(['large begins', 'other ends', 'large begins']);
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
});

test('a case whose responses do not fit into memory alone is an error', async () => {
  let count = 0;
  const [result] = await outcomesOf(
    {
      'metrics.cost.always-there': async () => {
        count += 1;
        throw new ResponsesTooLargeError();
      },
    },
    contextWith({ concurrency: 2 }),
  );
  expect([count, result?.verdict]).toEqual([2, 'error']);
});

test('a case that begins again comes before those that may remove what it needs', async () => {
  const tested: string[] = [];
  await outcomesOf(
    {
      'images.cleanup.answer-shape': async (run) => {
        tested.push('removal');
        run.check([]);
      },
      'metrics.cost.always-there': async (run) => {
        if (tested.push('large') === 1) throw new ResponsesTooLargeError();
        run.check([]);
      },
    },
    contextWith({}, 'destroy'),
  );
  expect(tested).toEqual(['large', 'large', 'removal']);
});

test('a case that could not begin again before the time was up keeps what it has found', async () => {
  let count = 0;
  let isTimeUp = false;
  const [result] = await outcomesOf(
    {
      'metrics.cost.always-there': async (run) => {
        count += 1;
        isTimeUp = count > 1;
        await run.forEach(
          Array.from({ length: 20 }, (_, index) => index),
          async () => [],
        );
        if (isTimeUp) throw new ResponsesTooLargeError();
      },
    },
    contextWith({ concurrency: 1, isTimeUp: () => isTimeUp }),
  );
  expect([count, result?.verdict, result?.isCut]).toEqual([2, 'passed', true]);
});

test('a case that uses all places of a resource runs without others that use it, and before those that came later', async () => {
  const { run, seen } = overlapOf();
  const { target, ...context } = contextWith({ concurrency: 4, maxRounds: 2 });
  const otherRound = Promise.withResolvers<void>();
  const withRounds =
    (name: string): Tries =>
    async (each) => {
      await run(name)(each);
      await each.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        async () => [],
      );
      if (name === 'other') otherRound.resolve();
    };
  const results = await outcomesOf(
    {
      'sandbox.watch.watchers-independent': withRounds('whole'),
      'sandbox.watch.every-write-a-line': run('one', otherRound.promise),
      'auth.data-plane.credential-required': withRounds('other'),
    },
    { ...context, target: { ...target, resources: { ...target.resources, sandbox: 'demo-sandbox' } } },
  );
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'passed']);
  // The second round of the whole begins when `one` has ended, and the other one waits for it.
  expect(seen).toEqual([['whole'], ['one'], ['one', 'other'], ['whole'], ['other']]);
});

/** Which cases run at the same time, whenever one begins. */
function overlapOf() {
  const running = new Set<string>();
  const seen: string[][] = [];
  const run =
    (name: string, before?: Promise<void>): Tries =>
    async (each) => {
      running.add(name);
      seen.push([...running]);
      await before;
      await wait(20);
      running.delete(name);
      each.check([]);
    };
  return { run, seen };
}

test('with --bail, no further rules start after as many failed ones, and the others are not tried', async () => {
  const ids: RequirementId[] = [
    'metrics.cost.always-there',
    'metrics.answer.shape-and-echo',
    'metrics.usage.absent-otherwise',
    'metrics.resolution.hourly-cap',
  ];
  const failing: Tries = async (run) => run.check([mismatch]);
  const tries = Object.fromEntries(ids.map((id) => [id, failing]));
  const verdicts = async (failures: number, except: readonly string[] = []) => {
    const outcomes = await outcomesOf(tries, contextWith({ concurrency: 1, bail: { failures, except } }));
    expect(outcomes.filter(({ verdict }) => verdict === 'not-tried').every(({ missing }) => missing === 'bail')).toBe(
      true,
    );
    return outcomes.filter(({ verdict }) => verdict === 'failed').length;
  };
  expect(await verdicts(1)).toBe(1);
  expect(await verdicts(3)).toBe(3);
  expect(await verdicts(9)).toBe(4);
  expect(await verdicts(1, ids)).toBe(4);
  const outcomes = await outcomesOf(tries, contextWith({ concurrency: 1, bail: { failures: 1, except: [] } }));
  const last = outcomes.find(({ verdict }) => verdict === 'not-tried');
  expect(last).toMatchObject({ reason: 'a run without --bail: 1 rule had failed before', isCut: undefined });
  expect(outcomes.map(({ verdict, isBailed }) => [verdict, isBailed])).toEqual([
    ['failed', undefined],
    ...Array.from({ length: 3 }, () => ['not-tried', true]),
  ]);
});
