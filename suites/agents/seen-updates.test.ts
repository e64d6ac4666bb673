import { expect, test } from 'vitest';
import type { MustId } from '../../spec/requirements/index.ts';
import { judgeExchanges } from '../testing/judge-exchanges.ts';
import { collectCases } from '../engine/collect-cases.ts';

// Loads the suite files of these rules.
await collectCases(['agents.runtime.generation-known', 'agents.triggers.type-known', 'agents.update.round-trip']);

const agent = (spec: object, metadata: object = {}) => ({ metadata: { name: 'helper', ...metadata }, spec });

const verdictOn = (rule: MustId, sent: unknown, received: unknown, status = 200): string =>
  judgeExchanges(rule, [{ method: 'PUT', url: '/agents/helper', sent, received, status }])[0]!;

const env = (name: string, value: string) => ({ runtime: { envs: [{ name, value }] } });
const trigger = (type: string, configuration: object, more: object = {}) => ({
  triggers: [{ id: 'one', type, configuration, ...more }],
});

const withIds = (...ids: string[]) => ({ triggers: ids.map((id) => ({ id, type: 'http' })) });

test.each([
  ['a variable that was sent', env('A', 'a b'), env('A', 'a b'), 'keeps'],
  ['another variable', env('A', 'a b'), env('A', 'a'), 'breaks'],
  ['no undocumented member', { ...env('A', ''), madeUp: 1 }, env('A', ''), 'keeps'],
  ['null as nothing', { region: null }, {}, 'says nothing'],
  [
    'an empty generation as the default',
    { runtime: { generation: '' } },
    { runtime: { generation: 'mk2' } },
    'says nothing',
  ],
  ['public only on mk3', { public: true }, { public: false }, 'keeps'],
  ['public on mk3', { public: true, runtime: { generation: 'mk3' } }, { runtime: { generation: 'mk3' } }, 'breaks'],
  [
    'one of two variables of a name',
    { runtime: { envs: [1, 2].map((each) => ({ name: 'A', value: String(each) })) } },
    env('A', '2'),
    'keeps',
  ],
  ['memory in steps', { runtime: { memory: 3000 } }, { runtime: { memory: 3072 } }, 'keeps'],
  [
    'no schedule of an http trigger',
    trigger('http', { path: '/a', schedule: '0 9 * * 1' }),
    trigger('http', { path: '/a' }),
    'keeps',
  ],
  ['another path', trigger('http', { path: '/a' }), trigger('http', { path: '/b' }), 'breaks'],
  [
    'a trigger of the server',
    trigger('http', { path: '/a' }),
    { triggers: [...trigger('http', { path: '/a' }).triggers, { id: 'own', type: 'http' }] },
    'keeps',
  ],
  ['an id like that made for an equal one', withIds('a', 'a', 'a-2'), withIds('a', 'a-2', 'a-2-2'), 'keeps'],
  ['another id than that of its trigger', withIds('a', 'a', 'b'), withIds('a', 'a-2', 'c'), 'breaks'],
  ['an id like that made for a trigger without one', withIds('', 'trigger-1'), withIds('trigger-1', 'x'), 'keeps'],
  ['an id like the type of a trigger without one', withIds('', 'http'), withIds('http', 'http-2'), 'keeps'],
  ['another id beside a trigger without one', withIds('', 'b'), withIds('trigger-1', 'c'), 'breaks'],
  ['triggers in another order, one of them without an id', withIds('', 'b'), withIds('b', 'trigger-1'), 'keeps'],
  ['one trigger twice in another order', withIds('', 'b', 'c'), withIds('c', 'trigger-1', 'c'), 'breaks'],
  ['a request that is invalid', { enabled: 'yes' }, {}, 'says nothing'],
])('the response to an update has %s', (_, sent, received, expected) => {
  expect(verdictOn('agents.update.round-trip', agent(sent), agent(received))).toBe(expected);
});

test.each([
  ['enabled as text', { enabled: 'true' }, 200, 'breaks'],
  ['enabled as text', { enabled: 'true' }, 400, 'keeps'],
  ['enabled as text, of an agent that may not exist', { enabled: 'true' }, 404, 'says nothing'],
  ['enabled as text, during a deployment', { enabled: 'true' }, 409, 'says nothing'],
  ['enabled as text, at another address', { enabled: 'true' }, 301, 'says nothing'],
  ['enabled as text, while nothing answers', { enabled: 'true' }, 503, 'says nothing'],
  ['null', { enabled: null }, 200, 'says nothing'],
  ['a task of any type', trigger('cron', { schedule: '0 9 * * 1', tasks: [{ a: 1 }] }), 200, 'says nothing'],
  ['a timeout as text on mk2', trigger('http-async', { timeout: '5' }), 200, 'says nothing'],
])('%s with status %s', (_, spec, status, expected) => {
  expect(verdictOn('agents.update.wrong-type-400', agent(spec), agent({}), status)).toBe(expected);
});

test.each([
  ['0 9 * * 1', 'cron', 'says nothing'],
  [' 0 9 * * 1 ', 'cron', 'says nothing'],
  ['0  9 * * 1', 'cron', 'says nothing'],
  ['0 9  1 1', 'cron', 'breaks'],
  ['0 9 1 1 ', 'cron', 'breaks'],
  ['@daily', 'cron', 'breaks'],
  ['@daily', 'http', 'says nothing'],
])('a schedule "%s" of type %s is accepted', (schedule, type, expected) => {
  const spec = trigger(type, { schedule });
  expect(verdictOn('agents.triggers.schedule-five-fields', agent(spec), agent(spec))).toBe(expected);
});

const secret = (callbackSecret?: string) =>
  agent(trigger('http-async', { callbackUrl: 'https://a.example', callbackSecret }), { workspace: 'main' });

test('a client may send the callbackSecret that it has read, but not choose one', () => {
  const update = (sent: object, received: object) => ({ method: 'PUT', url: '/agents/helper', sent, received });
  expect(
    judgeExchanges('agents.triggers.callback-secret-is-the-servers', [
      update(secret('first'), secret('first')),
      update(secret(), secret('servers')),
      update(secret('servers'), secret('servers')),
      update(secret('chosen'), secret('servers')),
      update(secret('chosen'), secret('chosen')),
      update(secret(), secret('')),
    ]),
  ).toEqual(['keeps', 'keeps', 'keeps', 'keeps', 'breaks', 'breaks']);
});

test('a server may show the callbackSecret of a trigger only once', () => {
  const ofTrigger = (id: string, callbackSecret?: string) => {
    const configuration = { callbackUrl: 'https://a.example', callbackSecret };
    return agent({ triggers: [{ id, type: 'http-async', configuration }] }, { workspace: 'main' });
  };
  const update = (id: string, returned?: string) => ({
    method: 'PUT',
    url: '/agents/helper',
    sent: ofTrigger(id),
    received: ofTrigger(id, returned),
  });
  expect(
    judgeExchanges('agents.triggers.callback-secret-is-the-servers', [
      update('one', 'servers'),
      update('one'),
      update('two'),
    ]),
  ).toEqual(['keeps', 'keeps', 'breaks']);
});

test.each<[MustId, object]>([
  ['agents.update.round-trip', env('A', '1')],
  ['agents.update.defaults', {}],
])('%s says nothing about an update while another one was sent', (rule, spec) => {
  const update = {
    method: 'PUT',
    url: '/agents/helper',
    sent: agent(spec),
    received: agent({ ...env('A', '2'), enabled: false }),
  };
  expect(judgeExchanges(rule, [update])).toEqual(['breaks']);
  expect(judgeExchanges(rule, [{ ...update, isConcurrent: true }])).toEqual(['says nothing']);
});
