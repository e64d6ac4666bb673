import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import type { Counterexample, RuleResult } from '../../spec/verdicts.ts';
import { status } from '../expect/status.ts';
import { runCase } from './run-case.ts';
import type { Run } from './run.ts';
import { forAllSequences } from './sequence.ts';
import type { Sequences } from './sequence.ts';
import type { Exchange } from '../target/client.ts';
import { localServer } from '../testing/local-server.ts';
import type { ReceivedRequest } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

/** Letters to send, concurrently if there are several. */
type Step = string;
type Plan = Partial<Sequences<Step, null>>;

interface Tried {
  readonly result: RuleResult;
  /** The requested paths, in order. */
  readonly paths: readonly string[];
}

const send = (run: Run, letter: string): Promise<Exchange> =>
  run.client.send({ surface: 'host', method: 'GET', path: `/${letter}` });

/** Tests sequences on a target that responds with 400 if `isFault` is true for the letters since `/begin`. */
async function runSequences(
  isFault: (letters: readonly string[]) => boolean,
  plan: (run: Run) => Plan,
): Promise<Tried> {
  let letters: string[] = [];
  await using server = await localServer(({ url }: ReceivedRequest) => {
    letters = url === '/begin' ? [] : [...letters, url.slice(1)];
    return { status: isFault(letters) ? 400 : 200 };
  });
  const { context, close } = openTestContext({ address: server.address });
  const tries = (run: Run): Promise<void> =>
    forAllSequences(run, {
      step: fc.constantFrom('a', 'b', 'c'),
      start: async () => ({ model: null, exchanges: [await send(run, 'begin')] }),
      async runStep(_, step) {
        const all = await Promise.all([...step].map((letter) => send(run, letter)));
        return { exchanges: all.length === 1 ? all : [all], mismatches: all.flatMap((each) => status(each, 200)) };
      },
      ...plan(run),
    });
  const rule = requirement('metrics.group-by.at-most-three');
  const { result } = await runCase({ rule, try: tries }, context);
  await close();
  return { result, paths: server.received.map(({ url }) => url) };
}

const only = (...example: Step[]): Plan => ({ examples: [example], runs: 0 });

/** Each line of the script as the requested path and its ending. */
const lines = ({ curl }: Counterexample): string[] =>
  curl
    .split('\n')
    .filter((line) => !line.startsWith('# '))
    .map((line) => line.replace(/^curl .*:\d+(\/\w+)[^&]*?( &)?( \w+=\$!)?$/, '$1$2'));

test('examples are tested first, and each sequence starts from the initial state', async () => {
  const { result, paths } = await runSequences(
    () => false,
    () => ({ examples: [['a', 'b'], ['c']], runs: 1, step: fc.constant('d') }),
  );
  expect(result.verdict).toBe('passed');
  expect(paths.slice(0, 5)).toEqual(['/begin', '/a', '/b', '/begin', '/c']);
  expect(new Set(paths.slice(5))).toEqual(new Set(['/begin', '/d']));
});

test('a fifth of the inputs of the run is the default', async () => {
  const { paths } = await runSequences(
    () => false,
    () => ({}),
  );
  expect(paths.filter((path) => path === '/begin')).toHaveLength(10);
});

test.each([
  { example: ['b', 'c'], is: (sent: readonly string[]) => sent.at(-1) === 'b', steps: ['b'] },
  { example: ['a', 'b', 'c', 'c'], is: (sent: readonly string[]) => sent.join('').endsWith('ab'), steps: ['a', 'b'] },
  { example: ['c', 'a', 'b', 'c'], is: (sent: readonly string[]) => sent.join('').endsWith('ab'), steps: ['a', 'b'] },
])('example $example is reported up to its failing step, $steps', async ({ example, is, steps }) => {
  const { result } = await runSequences(is, () => only(...example));
  expect(result.counterexample?.input).toEqual({ steps });
  expect(lines(result.counterexample!)).toEqual(['/begin', ...steps.map((step) => `/${step}`)]);
});

test('a generated sequence shrinks to the required steps', async () => {
  const { result } = await runSequences(
    (sent) => sent.at(-1) === 'c' && sent.includes('b'),
    () => ({ runs: 50 }),
  );
  expect(result.counterexample?.input).toEqual({ steps: ['b', 'c'] });
});

test('the script contains the initial requests and ends with the failing exchange', async () => {
  const { result } = await runSequences(
    () => false,
    (run) => ({
      ...only('a'),
      async runStep() {
        const [shows, after] = [await send(run, 'shows'), await send(run, 'after')];
        return { exchanges: [shows, after], mismatches: [{ expected: 'x', actual: 'y', exchange: shows }] };
      },
    }),
  );
  expect(lines(result.counterexample!)).toEqual(['/begin', '/after', '/shows']);
});

test('the script sends concurrent requests concurrently and waits for them', async () => {
  const { result } = await runSequences(
    (sent) => sent.at(-1) === 'c' && sent.includes('a') && sent.includes('b'),
    () => only('ab', 'c'),
  );
  expect(lines(result.counterexample!)).toEqual(['/begin', '/a &', '/b &', 'wait $sent1 $sent2', '/c']);
});

test('the failing one of concurrent requests comes last', async () => {
  const { result } = await runSequences(
    (sent) => sent.at(-1) === 'a',
    () => ({ ...only('abc'), step: fc.constant('abc') }),
  );
  expect(lines(result.counterexample!)).toEqual(['/begin', '/b &', '/c &', '/a &', 'wait $sent1 $sent2 $sent3']);
});

test('a violation in the initial requests is reported without steps', async () => {
  const { result } = await runSequences(
    () => true,
    (run) => ({
      ...only('a'),
      start: async () => {
        run.check(status(await send(run, 'begin'), 200));
        return { model: null, exchanges: [] };
      },
    }),
  );
  expect(result).toMatchObject({ verdict: 'failed', counterexample: { input: { steps: [] } } });
});

test('a harness error in a step is an error without a counterexample', async () => {
  const { result } = await runSequences(
    () => false,
    () => ({
      ...only('a'),
      runStep: async () => {
        throw new TypeError('ours');
      },
    }),
  );
  expect(result).toMatchObject({ verdict: 'error', reason: 'a mistake in assay: ours' });
});
