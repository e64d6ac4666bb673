import { expect, test } from 'vitest';
import { openTestRun } from '../../testing/test-run.ts';
import { findAcceptedValues, withAcceptedValues } from './accepted-values.ts';
import { similarId } from './made-up-values.ts';

const newRun = (samples = {}) => openTestRun({ address: 'http://127.0.0.1:9', target: { samples } });
const envs = (...names: readonly string[]) => ({ runtime: { envs: names.map((name) => ({ name, value: 'text' })) } });
const refuses = (pattern: RegExp) => async (spec: object) => !pattern.test(JSON.stringify(spec));

test('values that are not refused stay as they are', async () => {
  const run = newRun();
  expect(await findAcceptedValues(run, envs('ASSAY_1'), async () => true)).toBeUndefined();
  expect(withAcceptedValues(run, envs('ASSAY_1'))).toEqual(envs('ASSAY_1'));
});

test('different values stay different, and equal ones equal', async () => {
  const run = newRun();
  const accepts = async (spec: Readonly<Record<string, unknown>>) =>
    !/ASSAY/.test(JSON.stringify(withAcceptedValues(run, spec)));
  expect(await findAcceptedValues(run, envs('ASSAY_1'), accepts)).toBeUndefined();
  const { runtime } = withAcceptedValues(run, envs('ASSAY_1', 'ASSAY_2', 'ASSAY_1'));
  const [first, second, third] = runtime.envs.map(({ name }) => name);
  expect([first, second]).not.toContain('ASSAY_1');
  expect(second).not.toBe(first);
  expect(third).toBe(first);
});

test('while another value is being tried, other cases go on with the one before', async () => {
  const run = newRun();
  const sentName = () => withAcceptedValues(run, envs('ASSAY_1')).runtime.envs[0]?.name;
  const trying = Promise.withResolvers<void>();
  const sentElsewhere = trying.promise.then(sentName);
  const sent: unknown[] = [];
  const accepts = async (): Promise<boolean> => {
    sent.push(sentName());
    if (sent.length === 2) trying.resolve();
    if (sent.length === 2) await sentElsewhere;
    return sent.length === 3;
  };
  expect(await findAcceptedValues(run, envs('ASSAY_1'), accepts)).toBeUndefined();
  expect(sent.map((name) => name === 'ASSAY_1')).toEqual([true, false, false]);
  expect(await sentElsewhere).toBe('ASSAY_1');
  expect(sentName()).toBe(sent[2]);
});

test('what is missing names the refused value and the sample', async () => {
  const missing = await findAcceptedValues(newRun(), envs('ASSAY_1'), refuses(/name/));
  expect(missing).toContain('"ASSAY_1"');
  expect(missing).toContain('samples.variables');
});

test('a sample is used from the beginning, and its refusal excuses nothing', async () => {
  const run = newRun({ variables: { LOG_LEVEL: 'info' } });
  expect(withAcceptedValues(run, envs('ASSAY_1', 'ASSAY_2'))).toEqual({
    runtime: { envs: [{ name: 'LOG_LEVEL', value: 'info' }] },
  });
  expect(await findAcceptedValues(run, envs('ASSAY_1'), refuses(/name/))).toBeUndefined();
});

test('each update begins with the first sample', () => {
  const run = newRun({ variables: { LOG_LEVEL: 'info' } });
  for (const name of ['ASSAY_1', 'ASSAY_2'])
    expect(withAcceptedValues(run, envs(name))).toEqual({ runtime: { envs: [{ name: 'LOG_LEVEL', value: 'info' }] } });
});

test('values that need each other are found together', async () => {
  const run = newRun();
  const accepts = async (spec: Readonly<Record<string, unknown>>) => {
    const [trigger] = withAcceptedValues(run, spec)['triggers'] as { configuration: Record<string, unknown> }[];
    const { path, authenticationType } = trigger!.configuration;
    return String(path).startsWith('/hooks/') && authenticationType === 'private';
  };
  const spec = { triggers: [{ type: 'http', configuration: { path: '/assay/0' } }] };
  expect(await findAcceptedValues(run, spec, accepts)).toBeUndefined();
  expect(await accepts(spec)).toBe(true);
});

test.each([
  ['ids that are equal', [{ id: 'a' }, { id: 'a' }]],
  ['every retry', [{ configuration: { retry: 2 } }]],
  ['every timeout below the maximum', [{ configuration: { timeout: 899 } }]],
])('a refusal of %s excuses and drops nothing', async (_, triggers) => {
  const run = newRun();
  const refusesFields = async (spec: object) => {
    const text = JSON.stringify(withAcceptedValues(run, { ...spec }));
    const ids = text.match(/"id":"\w+"/g) ?? [];
    return !/retry|"timeout":[1-8]?\d{2}\b/.test(text) && new Set(ids).size === ids.length;
  };
  const spec = { triggers: triggers.map((each) => ({ type: 'http-async', ...each })) };
  expect(await findAcceptedValues(run, spec, refusesFields)).toBeUndefined();
  expect(withAcceptedValues(run, spec)).toEqual(spec);
});

test('a value is not to blame if it is accepted by itself', async () => {
  const spec = { runtime: { envs: [{ name: 'ASSAY_1', value: 'text', secret: true }] } };
  expect(await findAcceptedValues(newRun(), spec, refuses(/secret/))).toBeUndefined();
});

test('a value is not to blame if the variable has to be open', async () => {
  const spec = { runtime: { envs: [{ name: 'ASSAY_1', value: 'two\nlines', secret: true }] } };
  expect(await findAcceptedValues(newRun(), spec, refuses(/secret/))).toBeUndefined();
});

test('a secret variable gets a name that such variables may have, and open ones keep theirs', async () => {
  const run = newRun();
  const spec = {
    runtime: { envs: ['ASSAY_1', 'ASSAY_2'].map((name, at) => ({ name, value: 'text', secret: at === 1 })) },
  };
  const sent = (names: object) => withAcceptedValues(run, { ...names }) as typeof spec;
  const accepts = async (each: object) =>
    sent(each).runtime.envs.every(({ name, secret }) => !secret || name.startsWith('SECRET_'));
  expect(await findAcceptedValues(run, spec, accepts)).toBeUndefined();
  expect(sent(spec).runtime.envs.map(({ name }) => name)).toEqual(['ASSAY_1', expect.stringMatching(/^SECRET_/)]);
});

test.each([
  ['trg_k3j9x0ab', /^trg_[a-z\d]{8}$/],
  ['trigger-09af31be', /^trigger-[\da-f]{8}$/],
  ['7c9e6679-7425-40de-944b-e07fc1f90ae7', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
  ['01JB5ZK9QW', /^[A-Z\d]{10}$/],
  ['t-9', /^t-\d+$/],
  ['http/', /^http\/\d+$/],
])('ids of the form of %s are distinct', (known, form) => {
  const ids = Array.from({ length: 200 }, (_, index) => similarId(known, index));
  expect(new Set([known, ...ids]).size).toBe(201);
  expect(ids.filter((id) => !form.test(id))).toEqual([]);
});

test('an id like the one that the target generates replaces one that it refuses', async () => {
  const run = newRun();
  const isRefused = (spec: object) => /"id":"(?!t-\d+")/.test(JSON.stringify(withAcceptedValues(run, { ...spec })));
  const spec = { triggers: ['a', 'b'].map((id) => ({ id, type: 'http', configuration: { path: '/assay/0' } })) };
  const accepts = async (each: object) => !isRefused(each);
  const sent: object[] = [];
  const returns = async (each: object) => {
    sent.push(each);
    return { triggers: [{ type: 'http' }, { id: 't-1', type: 'http' }, { id: 't-2', type: 'http' }] };
  };
  expect(await findAcceptedValues(run, spec, accepts)).toBeUndefined();
  expect(isRefused(spec)).toBe(true);
  expect(await findAcceptedValues(run, spec, accepts, returns)).toBeUndefined();
  expect(JSON.stringify(sent)).not.toContain('"id"');
  expect(withAcceptedValues(run, spec).triggers.map(({ id }) => id)).toEqual(['t-2', 't-3']);
});

const triggersAt = (...paths: string[]) => ({
  triggers: paths.map((path) => ({ type: 'http', configuration: { path } })),
});

type Accepts = (triggers: readonly { readonly configuration?: { readonly path?: string } }[]) => boolean;

const missingOn = (accepts: Accepts): Promise<string | undefined> =>
  findAcceptedValues(openTestRun({ address: 'http://127.0.0.1:9' }), triggersAt('/assay-a', '/assay-b'), async (spec) =>
    accepts(spec['triggers'] as Parameters<Accepts>[0]),
  );

test('a refused number of triggers is not taken for refused paths', async () => {
  expect(await missingOn(({ length }) => length < 2)).toBe(
    '2 triggers at once that are accepted (each alone is accepted)',
  );
});

test('a path that is refused alone is missing', async () => {
  expect(
    await missingOn((triggers) => triggers.every(({ configuration: { path } = {} }) => path === '/assay-a')),
  ).toContain('the path of a trigger that is accepted (refused: "/assay-a", "/assay-b")');
});
