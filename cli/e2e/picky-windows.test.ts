/** Deployments that refuse windows which are shorter than the smallest bucket of metrics do not fail; those that refuse others do. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { requirements, type RequirementId } from '../../spec/requirements/index.ts';
import { changedMetrics, refusing } from './testing/changed-metrics.ts';
import { runOnTarget } from './testing/run-on-target.ts';

type IsRefused = (window: { readonly start: number; readonly end: number }, query: URLSearchParams) => boolean;

/** Milliseconds. */
const HOUR = 3_600_000;

/** The outcomes on a deployment that refuses some windows of metrics and of lists of resource types; the first round of inputs. */
async function outcomesOn(isRefused: IsRefused, selected: readonly RequirementId[], status = 400) {
  await using mock = await startMock();
  const isOf = (query: URLSearchParams): boolean => {
    const [start, end] = ['startTime', 'endTime'].map((name) => Date.parse(query.get(name) ?? ''));
    return isRefused({ start: start!, end: end! }, query);
  };
  const paths = ['/metrics', '/enums/resource-types'];
  await using changed = await changedMetrics(mock.target, refusing(isOf, status), paths);
  const outcomes = await runOnTarget(changed.target, { selected, isQuick: true, patienceSeconds: 3 });
  return outcomes.map(({ result: { id, verdict, reason } }) => ({ id, verdict, reason }));
}

const ofMetrics = requirements.map(({ id }) => id).filter((id) => id.startsWith('metrics.'));

const isShort: IsRefused = ({ start, end }) => end - start < HOUR;
const endsWithinAnHour: IsRefused = ({ start, end }) => start % HOUR !== 0 || end % HOUR !== 0;

/** Rules whose first inputs contain a window of a second. */
const ofWindows = [
  'metrics.answer.shape-and-echo',
  'metrics.buckets.one-per-step-zeros-included',
  'metrics.buckets.step-lengths',
  'metrics.buckets.cover-the-window',
  'metrics.buckets.end-exclusive',
] as const;

test.concurrent.each([400, 422])('a deployment may refuse windows of less than an hour with %d', async (status) => {
  const outcomes = await outcomesOn(isShort, ofMetrics, status);
  expect(outcomes.filter(({ verdict }) => !['passed', 'observed'].includes(verdict))).toEqual([]);
  const missing = `a target that accepts windows of 1 s (status ${status})`;
  const skipping = outcomes.filter(({ reason }) => reason?.endsWith(missing));
  expect(skipping.map(({ id }) => id)).toEqual(expect.arrayContaining([...ofWindows]));
});

test.concurrent.each<[string, IsRefused, number, RequirementId]>([
  ['responds 500 to windows of less than an hour', isShort, 500, 'metrics.answer.shape-and-echo'],
  ['responds 500 to ends within an hour', endsWithinAnHour, 500, 'metrics.resolution.picked-by-window'],
  ['refuses windows of a whole hour', ({ start, end }) => end - start <= HOUR, 400, 'metrics.answer.shape-and-echo'],
  [
    'refuses windows of less than a day',
    ({ start, end }) => end - start < 24 * HOUR,
    400,
    'metrics.buckets.end-exclusive',
  ],
  ['refuses ends within an hour', endsWithinAnHour, 400, 'metrics.resolution.picked-by-window'],
  [
    'refuses short windows of one resolution only',
    (window, query) => query.get('resolution') === 'hourly' && isShort(window, query),
    400,
    'metrics.answer.shape-and-echo',
  ],
  ['refuses every window', () => true, 400, 'metrics.answer.shape-and-echo'],
])('a deployment that %s fails', async (_, isRefused, status, rule) => {
  expect(await outcomesOn(isRefused, [rule], status)).toMatchObject([{ id: rule, verdict: 'failed' }]);
});

test.concurrent('only a deployment that refuses windows gets requests that find out why', async () => {
  const countOf = async (isRefused: IsRefused): Promise<number> => {
    let count = 0;
    await outcomesOn(
      (...window) => {
        count += 1;
        return isRefused(...window);
      },
      ['metrics.answer.shape-and-echo'],
    );
    return count;
  };
  const [accepted, refused] = [await countOf(() => false), await countOf(isShort)];
  // A whole day, the refused length on that day, and an hour of it.
  expect(refused - accepted).toBe(3);
});
