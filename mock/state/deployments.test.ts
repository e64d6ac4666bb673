import { describe, expect, test } from 'vitest';
import { eventsAt } from './deployment-events.ts';
import { courses, MAX_EVENTS, isBeingDeleted, isGone, statusAt, type Course, type Deployment } from './deployments.ts';
import { imagesInUse, servesAt, withDeployment } from './revisions.ts';

const START = Date.parse('2026-11-21T07:00:00Z');
const began = (course: Course, at: number, past: readonly Deployment[] = [], image = 'image-1') =>
  withDeployment(past, { course, revision: `rev-${at - START}`, startedAt: at, image });

describe('status', () => {
  test.each([
    [0, 'UPLOADING'],
    [99, 'UPLOADING'],
    [100, 'BUILDING'],
    [499, 'BUILDING'],
    [500, 'BUILT'],
    [600, 'DEPLOYING'],
    [999, 'DEPLOYING'],
    [1000, 'DEPLOYED'],
    [1e12, 'DEPLOYED'],
  ])('%i ms after the start a deployment is %s', (ms, status) => {
    expect(statusAt(began('deploy', START), START + ms)).toBe(status);
  });

  test('a deactivation ends in DEACTIVATED', () => {
    const deployments = began('deactivate', START);
    expect([0, 299, 300, 1e9].map((ms) => statusAt(deployments, START + ms))).toEqual([
      'DEACTIVATING',
      'DEACTIVATING',
      'DEACTIVATED',
      'DEACTIVATED',
    ]);
  });

  test('after a deletion the resource is gone', () => {
    const deployments = began('delete', START, began('deploy', START - 5000));
    expect([0, 400, 599, 600].map((ms) => statusAt(deployments, START + ms))).toEqual([
      'DELETING',
      'TERMINATED',
      'TERMINATED',
      undefined,
    ]);
    expect([599, 600].map((ms) => isGone(deployments, START + ms))).toEqual([false, true]);
    expect(isBeingDeleted(deployments)).toBe(true);
  });

  test('a resource that is not deployed has no status and still exists', () => {
    expect([statusAt([], START), isGone([], START)]).toEqual([undefined, false]);
  });

  test('a clock that is set back returns to the first phase', () => {
    expect(statusAt(began('deploy', START), START - 1000)).toBe('UPLOADING');
    expect(eventsAt(began('deploy', START), START - 1000)).toHaveLength(1);
  });

  test('every transition but a deletion ends in a stable status', () => {
    const resting = Object.entries(courses).filter(([, phases]) => phases.at(-1)?.lastsMs === Infinity);
    expect(resting.map(([course]) => course)).toEqual(['deploy', 'provision', 'deactivate']);
  });
});

describe('events', () => {
  test('each status so far is one event, newest last', () => {
    const events = eventsAt(began('deploy', START), START + 600);
    expect(events.map(({ status }) => status)).toEqual(['UPLOADING', 'BUILDING', 'BUILT', 'DEPLOYING']);
    expect(events.at(-1)).toEqual({
      type: 'deploy',
      status: 'DEPLOYING',
      message: 'The revision is being deployed.',
      revision: 'rev-0',
      time: '2026-11-21T07:00:00.600Z',
    });
  });

  test('a superseded deployment stops in its current status', () => {
    const deployments = began('deploy', START + 200, began('deploy', START));
    const events = eventsAt(deployments, START + 250).map(({ status, revision }) => [status, revision]);
    expect(events).toEqual([
      ['UPLOADING', 'rev-0'],
      ['BUILDING', 'rev-0'],
      ['UPLOADING', 'rev-200'],
    ]);
  });

  test('an event contains the canary revision', () => {
    const next = { course: 'deploy', revision: 'rev-1', canaryRevision: 'rev-c', startedAt: START } as const;
    expect(eventsAt(withDeployment([], next), START)[0]?.canaryRevision).toBe('rev-c');
  });

  test('the list is capped and contains the newest', () => {
    let deployments: Deployment[] = [];
    for (let nth = 0; nth < 30; nth++) deployments = began('deploy', START + nth * 5000, deployments);
    expect(deployments).toHaveLength(MAX_EVENTS);
    const events = eventsAt(deployments, START + 30 * 5000);
    expect(events).toHaveLength(MAX_EVENTS);
    expect(events.at(-1)).toMatchObject({ status: 'DEPLOYED', revision: 'rev-145000' });
  });
});

describe('serving', () => {
  const first = began('deploy', START);

  test('a first deployment serves once DEPLOYED', () => {
    expect([999, 1000].map((ms) => servesAt(first, START + ms))).toEqual([false, true]);
  });

  test('during a redeployment the previous revision serves', () => {
    expect(servesAt(began('deploy', START + 2000, first), START + 2001)).toBe(true);
  });

  test('a superseded first deployment does not serve', () => {
    expect(servesAt(began('deploy', START + 500, first), START + 1200)).toBe(false);
  });

  test.each(['deactivate', 'delete'] as const)('a %s ends it immediately', (course) => {
    expect(servesAt(began(course, START + 2000, first), START + 2000)).toBe(false);
  });
});

describe('images in use', () => {
  const first = began('deploy', START, [], 'old');
  const second = began('deploy', START + 2000, first, 'new');

  test('a redeployment keeps both images in use until it completes', () => {
    expect(imagesInUse(second, START + 2999)).toEqual(['new', 'old']);
    expect(imagesInUse(second, START + 3000)).toEqual(['new']);
  });

  test('a deactivating resource uses its image, a deactivated one does not', () => {
    const deployments = began('deactivate', START + 2000, first, 'old');
    expect(imagesInUse(deployments, START + 2299)).toContain('old');
    expect(imagesInUse(deployments, START + 2300)).toEqual([]);
  });

  test('a resource that was never deployed uses no image', () => {
    expect(imagesInUse([], START)).toEqual([]);
  });
});
