import { expect, test } from 'vitest';
import type { Exchange } from '../../target/exchange.ts';
import { comesBack } from './comes-back.ts';
import { sameOutcome } from '../../agents/same-outcome.ts';
import type { Spec } from './subject.ts';

function answered(json: unknown, status = 200): Exchange {
  return {
    surface: 'management',
    request: { method: 'PUT', url: 'http://a', headers: {} },
    answer: { status, headers: {}, text: JSON.stringify(json), json },
    shape: [],
    durationMs: 1,
    attempts: 1,
  };
}

const agent = (spec: Spec, metadata: object = {}) => ({ metadata: { name: 'a', ...metadata }, spec });
const lost = (sent: Spec, shown: Spec) =>
  comesBack(agent(sent), answered(agent(shown))).map(({ expected }) => expected);

test('further members may stand beside what was sent', () => {
  expect(lost({ runtime: { memory: 1 } }, { runtime: { memory: 1, cores: 1 }, region: 'local' })).toEqual([]);
});

test('a field that has its default, or is empty, may be left out', () => {
  const sent = { enabled: true, public: false, policies: [], runtime: { minScale: 0 }, triggers: [{ enabled: true }] };
  expect(lost(sent, { runtime: {}, triggers: [{}] })).toEqual([]);
});

test('enabled false may not be left out, and no default may be another value', () => {
  expect(lost({ enabled: false }, {})).toEqual(['spec.enabled: false']);
  expect(lost({ enabled: true }, { enabled: false })).toEqual(['spec.enabled: true']);
});

test('elements may come in another order, and every one has to', () => {
  const [a, b] = [
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ];
  expect(lost({ runtime: { envs: [a, b] } }, { runtime: { envs: [b, a] } })).toEqual([]);
  expect(lost({ runtime: { envs: [a, b] } }, { runtime: { envs: [a, a] } })).not.toEqual([]);
  expect(lost({ runtime: { envs: [a] } }, { runtime: { envs: [a, b] } })).toEqual(['spec.runtime.envs.length: 1']);
});

test('the value of a secret variable may be hidden, its name may not', () => {
  const sent = { runtime: { envs: [{ name: 'A', value: '1', secret: true }] } };
  expect(lost(sent, { runtime: { envs: [{ name: 'A', value: '***', secret: true }] } })).toEqual([]);
  expect(lost(sent, { runtime: { envs: [{ name: 'B', secret: true }] } })).toEqual(['spec.runtime.envs[0].name: "A"']);
});

test('labels are compared by name and value', () => {
  const body = agent({}, { labels: { constructor: 'a' } });
  expect(comesBack(body, answered(agent({}, { labels: { constructor: 'a', more: 'b' } })))).toEqual([]);
  expect(comesBack(body, answered(agent({}, { labels: {} })))).toHaveLength(1);
});

test('a body that is no agent shows nothing', () => {
  expect(comesBack(agent({}), answered('text'))).toHaveLength(1);
  expect(comesBack(agent({}), answered(null))).toHaveLength(1);
});

test('a repeated update comes to the same where only what the server makes differs', () => {
  const sent = agent({ triggers: [{ type: 'http' }, { id: 'a', type: 'http' }] });
  const shown = (made: string) =>
    answered(
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
  expect(sameOutcome(sent, shown('x'), shown('y'))).toEqual([]);
});

test('a repeated update does not come to the same where an id that was sent, a count or a value differs', () => {
  const sent = agent({ triggers: [{ id: 'a', type: 'http' }] });
  const shown = (...triggers: object[]) => answered(agent({ triggers }));
  const first = shown({ id: 'a', type: 'http' });
  expect(sameOutcome(sent, first, shown({ id: 'b', type: 'http' }))).toHaveLength(1);
  expect(sameOutcome(sent, first, shown({ id: 'a', type: 'http' }, { id: 'b', type: 'http' }))).not.toEqual([]);
  expect(sameOutcome(sent, first, shown({ id: 'a', type: 'cron' }))).toHaveLength(1);
  expect(sameOutcome(sent, first, answered({}, 409))).toMatchObject([{ actual: 'status 409' }]);
});
