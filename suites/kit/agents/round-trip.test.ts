import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../target/exchange.ts';
import { consistentRoundTripMismatches, roundTripMismatches } from './round-trip.ts';
import { outcomeMismatches } from '../../agents/idempotence.ts';
import type { Spec } from './test-agent.ts';

function respond(json: unknown, status = 200): Exchange {
  return {
    surface: 'management',
    request: { method: 'PUT', url: 'http://a', headers: {} },
    response: { status, headers: {}, text: JSON.stringify(json), json },
    shape: [],
    durationMs: 1,
    repeatedAfter: [],
  };
}

const agent = (spec: Spec, metadata: object = {}) => ({ metadata: { name: 'a', ...metadata }, spec });
const lostFields = (sent: Spec, returned: Spec) =>
  roundTripMismatches(agent(sent), respond(agent(returned))).map(({ expected }) => expected);

test('further members are allowed', () => {
  expect(lostFields({ runtime: { memory: 1 } }, { runtime: { memory: 1, cores: 1 }, region: 'local' })).toEqual([]);
});

test('a field with its default value or an empty value may be omitted', () => {
  const sent = { enabled: true, public: false, policies: [], runtime: { minScale: 0 }, triggers: [{ enabled: true }] };
  expect(lostFields(sent, { runtime: {}, triggers: [{}] })).toEqual([]);
});

test('enabled: false must not be omitted, and a default must not be replaced', () => {
  expect(lostFields({ enabled: false }, {})).toEqual(['spec.enabled: false']);
  expect(lostFields({ enabled: true }, { enabled: false })).toEqual(['spec.enabled: true']);
});

test('elements may be reordered but not dropped', () => {
  const [a, b] = [
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ];
  expect(lostFields({ runtime: { envs: [a, b] } }, { runtime: { envs: [b, a] } })).toEqual([]);
  expect(lostFields({ runtime: { envs: [a, b] } }, { runtime: { envs: [a, a] } })).not.toEqual([]);
});

describe('a server may add', () => {
  const [own, a, b] = [
    { name: 'SVC_REGION', value: 'eu' },
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ];
  const first = { type: 'http', configuration: { path: '/a' } };
  const root = { id: 'default', type: 'http', configuration: { path: '/' } };

  test('variables and triggers of its own', () => {
    expect(lostFields({ runtime: { envs: [a, b] } }, { runtime: { envs: [own, b, a] } })).toEqual([]);
    expect(lostFields({ runtime: { envs: [] } }, { runtime: { envs: [own] } })).toEqual([]);
    expect(lostFields({ triggers: [first] }, { triggers: [{ id: 'x', ...first }, root] })).toEqual([]);
  });

  test('none in place of one that was sent, and none twice', () => {
    expect(lostFields({ runtime: { envs: [a, b] } }, { runtime: { envs: [own, a] } })).not.toEqual([]);
    expect(lostFields({ runtime: { envs: [a, b] } }, { runtime: { envs: [own, a, { ...b, value: '' }] } })).toEqual([
      'spec.runtime.envs.length: 2',
    ]);
    expect(lostFields({ runtime: { envs: [a] } }, { runtime: { envs: [a, a] } })).not.toEqual([]);
    expect(lostFields({ triggers: [first] }, { triggers: [first, first] })).not.toEqual([]);
  });

  test('policies and volumes of its own', () => {
    expect(lostFields({ policies: ['p'] }, { policies: ['p', 'q'] })).toEqual([]);
    expect(lostFields({ volumes: [] }, { volumes: [{ name: 'v', mountPath: '/v' }] })).toEqual([]);
  });

  test('none that an earlier update has sent, unless it had added them before', () => {
    const run = { shared: {} };
    const lost = (sent: Spec, returned: Spec) =>
      consistentRoundTripMismatches(run, 'an agent', agent(sent), respond(agent(returned))).map((each) => each.actual);
    expect(lost({ policies: [] }, { policies: ['own'] })).toEqual([]);
    expect(lost({ policies: ['p', 'own'] }, { policies: ['p', 'own'] })).toEqual([]);
    expect(lost({ policies: [] }, { policies: ['p'] })).toEqual(['spec.policies.length: 1']);
    expect(lost({ policies: [] }, { policies: ['own'] })).toEqual([]);
  });
});

test('the value of a secret variable may be hidden, its name must not', () => {
  const sent = { runtime: { envs: [{ name: 'A', value: '1', secret: true }] } };
  expect(lostFields(sent, { runtime: { envs: [{ name: 'A', value: '***', secret: true }] } })).toEqual([]);
  expect(lostFields(sent, { runtime: { envs: [{ name: 'B', secret: true }] } })).toEqual([
    'spec.runtime.envs[0].name: "A"',
  ]);
});

test('labels are compared by name and value', () => {
  const body = agent({}, { labels: { constructor: 'a' } });
  expect(roundTripMismatches(body, respond(agent({}, { labels: { constructor: 'a', more: 'b' } })))).toEqual([]);
  expect(roundTripMismatches(body, respond(agent({}, { labels: {} })))).toHaveLength(1);
});

test('a body that is not an agent is a mismatch', () => {
  expect(roundTripMismatches(agent({}), respond('text'))).toHaveLength(1);
  expect(roundTripMismatches(agent({}), respond(null))).toHaveLength(1);
});

test('a repeated update has the same outcome if only server-generated values differ', () => {
  const sent = agent({ triggers: [{ type: 'http' }, { id: 'a', type: 'http' }] });
  const returned = (made: string) =>
    respond(
      agent(
        {
          runtime: { image: made, memory: 1 },
          revision: { active: made },
          triggers: [
            { id: made, type: 'http', configuration: { callbackSecret: made } },
            { id: 'a', type: 'http' },
          ],
        },
        { updatedAt: made },
      ),
    );
  expect(outcomeMismatches(sent, returned('x'), returned('y'))).toEqual([]);
});

test('a repeated update has another outcome if a sent id, a count or a value differs', () => {
  const sent = agent({ triggers: [{ id: 'a', type: 'http' }] });
  const returned = (...triggers: object[]) => respond(agent({ triggers }));
  const first = returned({ id: 'a', type: 'http' });
  expect(outcomeMismatches(sent, first, returned({ id: 'b', type: 'http' }))).toHaveLength(1);
  expect(outcomeMismatches(sent, first, returned({ id: 'a', type: 'http' }, { id: 'b', type: 'http' }))).not.toEqual(
    [],
  );
  expect(outcomeMismatches(sent, first, returned({ id: 'a', type: 'cron' }))).toHaveLength(1);
  expect(outcomeMismatches(sent, first, respond({}, 409))).toMatchObject([{ actual: 'status 409' }]);
});

test('a path that contains an id made by the server may differ, another one may not', () => {
  const sent = agent({ triggers: [{ type: 'http' }] });
  const returned = (id: string, path: string) => respond(agent({ triggers: [{ id, configuration: { path } }] }));
  const first = returned('45a50886', '/hooks/45a50886');
  expect(outcomeMismatches(sent, first, returned('f5161674', '/hooks/f5161674'))).toEqual([]);
  expect(outcomeMismatches(sent, first, returned('f5161674', '/other/f5161674'))).toHaveLength(1);
});

describe('within a run', () => {
  const returnedBy = (run: { shared: object }, sent: Spec, returned: Spec, source = 'a') =>
    consistentRoundTripMismatches(run, source, agent(sent), respond(agent(returned))).map(({ expected }) => expected);
  const [a, b] = ['A', 'B'].map((name) => ({ name, value: '1' }));
  const envs = (...list: (object | undefined)[]): Spec => ({ runtime: { envs: list } });

  test('an empty value that was returned once is not omitted later', () => {
    const run = { shared: {} };
    const zero = { runtime: { minScale: 0, memory: 1 } };
    const omitted = { runtime: { memory: 1 } };
    expect(returnedBy(run, zero, omitted)).toEqual([]);
    expect(returnedBy(run, zero, zero)).toEqual([]);
    expect(returnedBy(run, zero, omitted)).toEqual(['spec.runtime.minScale: 0']);
    expect(returnedBy(run, zero, omitted, 'b')).toEqual([]);
    expect(returnedBy({ shared: {} }, zero, omitted)).toEqual([]);
  });

  test('a default that was returned once is not omitted later', () => {
    const run = { shared: {} };
    expect(returnedBy(run, { enabled: true }, {})).toEqual([]);
    expect(returnedBy(run, { enabled: true }, { enabled: true })).toEqual([]);
    expect(returnedBy(run, { enabled: true }, {})).toEqual(['spec.enabled: true']);
  });

  test('an empty value is not omitted with its parent either', () => {
    const run = { shared: {} };
    expect(returnedBy(run, envs(), envs())).toEqual([]);
    expect(returnedBy(run, envs(), { runtime: {} })).toEqual(['spec.runtime.envs: []']);
    expect(returnedBy(run, envs(), {})).toEqual(['spec.runtime.envs: []']);
  });

  test('values of other elements and additional members show nothing', () => {
    const run = { shared: {} };
    const [empty, full] = [
      { name: 'A', value: '' },
      { name: 'B', value: 'x' },
    ];
    expect(returnedBy(run, envs(empty, full), envs(full, { name: 'A' }))).toEqual([]);
    expect(returnedBy(run, envs(empty), envs({ name: 'A' }))).toEqual([]);
    expect(returnedBy(run, { policies: [], more: {} }, { policies: [], more: { own: 1 } })).toEqual([]);
    expect(returnedBy(run, { policies: [], more: {} }, { policies: [] })).toEqual([]);
  });

  test('other empty values may still be omitted', () => {
    const run = { shared: {} };
    expect(returnedBy(run, { policies: [] }, { policies: [] })).toEqual([]);
    expect(returnedBy(run, { triggers: [] }, {})).toEqual([]);
  });

  test('a list may be returned in any order, whatever its order was before', () => {
    const run = { shared: {} };
    expect(returnedBy(run, envs(a, b), envs(a, b))).toEqual([]);
    expect(returnedBy(run, envs(b, a), envs(b, a))).toEqual([]);
    expect(returnedBy(run, envs(a, b), envs(b, a))).toEqual([]);
    expect(returnedBy(run, envs(a, b), envs(b, b))).not.toEqual([]);
  });
});

describe('a displayName and labels', () => {
  const metadata = { displayName: 'One', labels: { a: '1' } };
  const body = agent({}, metadata);
  const without = respond(agent({}));

  test('may be omitted, unlike the name', () => {
    expect(roundTripMismatches(body, without)).toEqual([]);
    expect(roundTripMismatches(body, respond({ metadata, spec: {} }))).toHaveLength(1);
    expect(roundTripMismatches(body, respond({ spec: {} }))).toHaveLength(1);
  });

  test('may not be omitted only sometimes', () => {
    const run = { shared: {} };
    const lost = (exchange: Exchange) =>
      consistentRoundTripMismatches(run, 'a', body, exchange).map(({ expected }) => expected);
    expect(lost(without)).toEqual([]);
    expect(lost(respond(body))).toEqual([]);
    expect(lost(without)).toEqual(['metadata.displayName: "One"', 'metadata.labels: {"a":"1"}']);
  });

  test('may be omitted if they are empty, although others are returned', () => {
    const run = { shared: {} };
    expect(consistentRoundTripMismatches(run, 'a', body, respond(body))).toEqual([]);
    expect(consistentRoundTripMismatches(run, 'a', agent({}, { labels: {} }), without)).toEqual([]);
  });
});
