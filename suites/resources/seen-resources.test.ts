import { expect, test } from 'vitest';
import { judgeExchanges, type Described } from '../testing/judge-exchanges.ts';
import { collectCases } from '../engine/collect-cases.ts';

// Loads the suite files of these rules.
await collectCases([
  'resources.metadata.workspace-is-the-same',
  'resources.read-only.never-taken-from-client',
  'resources.timestamps.ordered',
  'resources.url.present-on-workloads',
]);

const AT = '2026-05-01T10:00:0';
const update = (metadata: object, more: Partial<Described> = {}, content: object = {}): Described => ({
  method: 'PUT',
  url: '/agents/helper',
  sent: { metadata: { name: 'helper' }, spec: {} },
  received: { metadata: { name: 'helper', workspace: 'main', ...metadata }, spec: {}, ...content },
  ...more,
});

test('a plan may change once; that an earlier one returns shows that resources have several', () => {
  const plans = ['free', 'free', 'pro', 'pro', 'free'].map((plan) => update({ plan }));
  expect(judgeExchanges('resources.metadata.plan-is-the-same', plans)).toEqual([
    'says nothing',
    'keeps',
    'says nothing',
    'keeps',
    'breaks',
  ]);
});

test.each([
  ['another agent may have taken the name', { createdAt: `${AT}7Z`, updatedAt: `${AT}8Z` }, 'says nothing'],
  ['the creation has moved', { createdAt: `${AT}2Z`, updatedAt: `${AT}8Z` }, 'breaks'],
  [
    'the creation is the time of a change',
    { createdAt: `${AT}8.123Z`, updatedAt: `${AT}8.123Z`, displayName: 'b' },
    'breaks',
  ],
  ['it may be new', { createdAt: `${AT}8.123Z`, updatedAt: `${AT}8.123Z`, displayName: 'a' }, 'says nothing'],
  ['nothing has moved', { createdAt: `${AT}1.000Z`, updatedAt: `${AT}8Z` }, 'keeps'],
])('of consecutive updates, %s', (_, later, expected) => {
  const first = update({ createdAt: `${AT}1Z`, updatedAt: `${AT}5Z`, displayName: 'a' });
  expect(judgeExchanges('resources.timestamps.creation-kept', [first, update(later)])).toEqual([
    'says nothing',
    expected,
  ]);
});

test('updates that overlap may be processed in another order', () => {
  const earlier = (sentAt: number) => [
    update({ updatedAt: `${AT}8Z` }, { sentAt: 0 }),
    update({ updatedAt: `${AT}5Z` }, { sentAt }),
  ];
  const rule = 'resources.timestamps.update-moves-updated-at';
  expect(judgeExchanges(rule, earlier(50))).toEqual(['says nothing', 'says nothing']);
  expect(judgeExchanges(rule, earlier(100))).toEqual(['says nothing', 'breaks']);
});

const sending = (sent: object, received: object): Described =>
  update(received, { sent: { metadata: { name: 'helper', ...sent }, spec: {} } });
const read: Described = {
  method: 'GET',
  url: '/agents/helper',
  received: { metadata: { name: 'helper', plan: 'pro' } },
};

test.each([
  ['is not known to be another', [sending({ plan: 'pro' }, { plan: 'pro' })], 'says nothing'],
  ['has been read before', [update({ plan: 'free' }), read, sending({ plan: 'pro' }, { plan: 'pro' })], 'keeps'],
  ['is adopted', [update({ plan: 'free' }), sending({ plan: 'pro' }, { plan: 'pro' })], 'breaks'],
  ['remains the servers', [update({ plan: 'free' }), sending({ plan: 'pro' }, { plan: 'free' })], 'keeps'],
  [
    'is no time of the service',
    [sending({ createdAt: '2001-02-03T04:05:06Z' }, { createdAt: '2001-02-03T05:05:06+01:00' })],
    'breaks',
  ],
  [
    'means none',
    [sending({ updatedAt: '0001-01-01T00:00:00Z' }, { updatedAt: '0001-01-01T00:00:00Z' })],
    'says nothing',
  ],
])('a read-only value that is sent and %s', (_, recording, expected) => {
  expect(judgeExchanges('resources.read-only.never-taken-from-client', recording).at(-1)).toBe(expected);
});

test('an agent needs a URL once it is deployed', () => {
  const rule = 'resources.url.present-on-workloads';
  const [before, deployed, wrong] = judgeExchanges(rule, [
    update({ url: '' }, {}, { status: 'DEPLOYING' }),
    update({}, {}, { status: 'DEPLOYED' }),
    update({ url: '/main/helper' }, {}, { status: 'DEPLOYING' }),
  ]);
  expect([before, deployed, wrong]).toEqual(['says nothing', 'breaks', 'breaks']);
});

test.each<[string, readonly (readonly [name: string, createdAt: string])[], string]>([
  [
    'the only one',
    [
      ['a', '1'],
      ['a', '1'],
      ['a', '1'],
    ],
    'keeps',
  ],
  [
    'the next one of a removed agent',
    [
      ['a', '1'],
      ['b', '2'],
      ['b', '2'],
    ],
    'keeps',
  ],
  [
    'a new one of the name, after another',
    [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ],
    'keeps',
  ],
  [
    'there before and after another one',
    [
      ['a', '1'],
      ['b', '2'],
      ['a', '1'],
    ],
    'breaks',
  ],
])('an agent whose URL another one may have had: %s', (_, agents, expected) => {
  const recording = agents.map(([name, second]) =>
    update(
      { name, url: 'https://run.example/main/agents/x', createdAt: `${AT}${second}Z` },
      { url: `/agents/${name}`, sent: { metadata: { name }, spec: {} } },
    ),
  );
  expect(judgeExchanges('resources.url.present-on-workloads', recording).at(-1)).toBe(expected);
});
