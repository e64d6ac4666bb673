import { expect, test } from 'vitest';
import { defaultWorld } from '../../../fixtures/worlds/default.ts';
import type { TaskFile } from '../../../spec/formats/world-lifecycles.ts';
import { createClock } from '../../time/clock.ts';
import { loadWorld } from '../../world/load.ts';
import { placeOf } from './kinds.ts';
import { createExecution, findExecution, type Execution } from './executions.ts';
import { createResource } from './write.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
const addresses = { management: 'http://x/v0', host: 'http://x', inference: 'http://x' };

/** The execution of the tasks, after a time. */
function executionAfter(ms: number, spec: object, tasks: object[], planned: TaskFile[]): Execution {
  const clock = createClock(NOW, 'frozen');
  const file = { ...defaultWorld(1, NOW), tasks: planned };
  const world = loadWorld(file, { seed: 1, clock, addresses, brand: 'Svc' });
  const workspace = world.workspaces.get('demo');
  if (workspace === undefined) throw new Error('The default world has no workspace demo.');
  const jobs = placeOf('jobs', workspace);
  const by = { caller: 'deployer', at: NOW - 60_000 };
  const job = createResource(world, jobs, { metadata: { name: 'nightly' }, spec }, by);
  const { id } = createExecution(world, jobs, job, tasks, { caller: 'deployer' });
  clock.advance(ms);
  const execution = findExecution(world, jobs, 'nightly', id);
  if (execution === undefined) throw new Error('The execution is lost.');
  return execution;
}

const statusesOf = ({ status, tasks }: Execution) => [
  status,
  ...tasks.map((task) => [task.status, ...task.attempts.map((attempt) => attempt.status)]),
];

test('a failed attempt is retried, and the task succeeds', () => {
  const run = (ms: number) =>
    executionAfter(ms, { retries: 2 }, [{ shard: 1 }, { shard: 2 }], [{ arguments: { shard: 1 }, failures: 1 }]);
  expect(statusesOf(run(700))).toEqual(['RUNNING', ['RUNNING', 'FAILED', 'RUNNING'], ['PENDING']]);
  expect(statusesOf(run(1200))).toEqual(['RUNNING', ['SUCCEEDED', 'FAILED', 'SUCCEEDED'], ['RUNNING', 'RUNNING']]);
  expect(statusesOf(run(1700))).toEqual([
    'SUCCEEDED',
    ['SUCCEEDED', 'FAILED', 'SUCCEEDED'],
    ['SUCCEEDED', 'SUCCEEDED'],
  ]);
});

test('a task that fails more often than it is retried fails the execution, and later tasks run', () => {
  const planned = [{ job: 'nightly', arguments: { shard: 1 }, failures: 'all', message: 'no such table' }] as const;
  const run = executionAfter(60_000, { retries: 1 }, [{ shard: 1 }, {}], [...planned]);
  expect(statusesOf(run)).toEqual(['FAILED', ['FAILED', 'FAILED', 'FAILED'], ['SUCCEEDED', 'SUCCEEDED']]);
  expect(run.tasks[0]?.attempts[1]).toEqual({
    status: 'FAILED',
    startedAt: '2026-11-01T00:00:00.700Z',
    completedAt: '2026-11-01T00:00:01.200Z',
    error: 'no such table',
  });
});

test('an attempt that exceeds the timeout of the job ends then', () => {
  const run = executionAfter(60_000, { timeout: 2 }, [{}], [{ takes: '30s' }]);
  expect(run.tasks[0]?.attempts).toEqual([
    expect.objectContaining({ completedAt: '2026-11-01T00:00:02.200Z', error: 'The task took longer than 2 s.' }),
  ]);
  expect(run.status).toBe('FAILED');
});

test('without a plan each task succeeds after half a second', () => {
  expect(statusesOf(executionAfter(1200, { retries: 3, timeout: 1 }, [{}, {}], []))).toEqual([
    'SUCCEEDED',
    ['SUCCEEDED', 'SUCCEEDED'],
    ['SUCCEEDED', 'SUCCEEDED'],
  ]);
});

test.each([{ retries: -1 }, { retries: 1.5 }, { retries: 11 }, { timeout: '5' }, { timeout: 86_401 }])(
  'a job with %j is refused',
  (spec) => {
    expect(() => executionAfter(0, spec, [], [])).toThrow('a whole number from 0 to');
  },
);
