/** Creates that a deployment refuses for what the interface does not define, for a plan, or for what is in use. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { pickyOutcomes, verdictsOf } from './testing/picky-outcomes.ts';
import type { PickyRun } from './testing/picky-outcomes.ts';
import type { Fields, PickyRequest, Refuses } from './testing/picky-target.ts';
import { create, isText } from './testing/refused-values.ts';

const NAME = /^[a-z0-9-]{1,49}$/;
const collectionOf = ({ path }: PickyRequest): string => path.split('/').at(-1) ?? '';
const isRemoval = ({ method, path }: PickyRequest): boolean =>
  method === 'DELETE' && /\/(vpcs|functions|connections)\/[^/]+$/.test(path);

/** Refuses creates while another resource of the collection has the same key. */
function exclusive(keyOf: (collection: string, spec: Fields, count: number) => string | undefined) {
  /** Names by collection, with their keys. */
  const kept = new Map<string, Map<string, string>>();
  const of = (collection: string) => kept.get(collection) ?? kept.set(collection, new Map()).get(collection)!;
  const refuses: Refuses = ({ metadata: { name }, spec }, request) => {
    const collection = collectionOf(request);
    if (request.method !== 'POST' || !isText(name, NAME)) return false;
    const others = of(collection);
    const key = keyOf(collection, spec, others.size);
    if (key === undefined || others.has(String(name))) return false;
    if ([...others.values()].includes(key)) return true;
    others.set(String(name), key);
    return false;
  };
  const remove = ({ path }: PickyRequest): void => {
    const [collection, name] = path.split('/').slice(-2) as [string, string];
    of(collection).delete(name);
  };
  return { refuses, remove };
}

/** One function of each connection. */
const oneOfConnection = () =>
  exclusive((collection, { integrationConnections: names }) =>
    collection === 'functions' && Array.isArray(names) ? String(names[0]) : undefined,
  );

/** At most so many of these collections. */
const planOf = (max: Readonly<Record<string, number>>) =>
  exclusive((collection, _, count) => {
    const most = max[collection];
    return most === undefined ? undefined : count < most ? `place ${count}` : 'place 0';
  });

const exclusives = {
  'one function of each connection': [oneOfConnection, 'connection is in use'],
  'three VPCs': [() => planOf({ vpcs: 3 }), 'too many VPCs'],
  'one function': [() => planOf({ functions: 1 }), 'quota exceeded: limit reached'],
  'one VPC and one function': [() => planOf({ vpcs: 1, functions: 1 }), 'quota exceeded: limit reached'],
} as const;

const ofCreates: readonly RequirementId[] = [
  'versions.listed.accepted-everywhere',
  'vpcs.create.answers-resource',
  'functions.create.with-connection',
  'integrations.connections.create-succeeds',
  'naming.name.valid-accepted',
  'naming.display-name.up-to-63-accepted',
];

const plans = Object.entries(exclusives).flatMap(([what, [make, message]]) =>
  ([409, 422] as const).flatMap((status) =>
    [true, false].map((removes) => ({ what, make, message, status, removes, how: removes ? 'with' : 'without' })),
  ),
);

test.each(plans)('$what ($status), $how deletions, fails no rule', async ({ make, message, status, removes }) => {
  const { refuses, remove } = make();
  const routed = (request: PickyRequest): number | undefined => {
    if (!isRemoval(request)) return undefined;
    if (removes) remove(request);
    return removes ? undefined : 405;
  };
  const outcomes = await pickyOutcomes(refuses, ofCreates, { routed, refusal: { status, message }, runs: 3 });
  expect(outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'error')).toEqual([]);
});

test.each([400, 409, 422])(
  'a listed version that creates refuse each time (%i) fails, also without deletions',
  async (status) => {
    const rule = 'versions.listed.accepted-everywhere';
    const routed = (request: PickyRequest) => (isRemoval(request) ? 405 : undefined);
    const refuses: Refuses = (_, { method, path, headers }) =>
      method === 'POST' && path.endsWith('/vpcs') && headers['svc-version'] !== undefined;
    const outcomes = await pickyOutcomes(refuses, [rule], { routed, refusal: { status }, runs: 3 });
    expect(verdictsOf(outcomes)).toEqual({ [rule]: 'failed' });
  },
);

const ofSecrets = 'integrations.connections.create-succeeds';
const secretOf = ({ secret }: Fields): Fields => (secret ?? {}) as Fields;
const unknownSecret = create('connections', (spec) => !isText(secretOf(spec)['CLIENT_SECRET'] ?? 'known', /^known/));
const known = (...keys: readonly string[]): Fields => Object.fromEntries(keys.map((key) => [key, { value: 'known' }]));

test.each<[string, Fields]>([
  ['only some keys', { 'google-mail': known('CLIENT_ID') }],
  ['the secret of another integration', { another: known('TOKEN') }],
])('with %s in the sample, the rest of a secret is made up', async (_, connectionSecrets) => {
  const [outcome] = await pickyOutcomes(unknownSecret, [ofSecrets], { samples: { connectionSecrets } });
  expect(outcome?.verdict).toBe('not-tried');
  expect(outcome?.reason).toMatch(/set samples\.connectionSecrets \(.*google-mail\.CLIENT_SECRET/);
});

const isWithoutImage = create('functions', ({ runtime }) => (runtime as Fields)['image'] === undefined);
const isElsewhere = create('vpcs', ({ region }) => region !== 'north');

test.each([403, 409, 424])('other specs are tried if one is refused with %i', async (status) => {
  const options: PickyRun = { refusal: { status, message: 'an image is required' } };
  const [outcome] = await pickyOutcomes(isWithoutImage, ['functions.create.with-connection'], options);
  expect(outcome).toMatchObject({ verdict: 'passed' });
});

test.each([403, 409, 424])('a spec that is refused with %i in every form is named, with its sample', async (status) => {
  const refusal = { status, message: 'refused' };
  const isOfRegistry = create('functions', ({ runtime }) => !isText((runtime as Fields)['image'], /^registry\//));
  const verdicts = {
    ...verdictsOf(await pickyOutcomes(isOfRegistry, ['functions.create.with-connection'], { refusal })),
    ...verdictsOf(await pickyOutcomes(isElsewhere, ['vpcs.create.answers-resource'], { refusal })),
  };
  expect(verdicts).toEqual({
    'functions.create.with-connection': expect.stringMatching(/^not tried: .*samples\.functionSpec/),
    'vpcs.create.answers-resource': expect.stringMatching(/^not tried: .*samples\.vpcSpec/),
  });
});

test('a create that is refused with 401 for a credential that may do everything fails', async () => {
  const refusal = { status: 401, message: 'invalid credentials' };
  const refuses = create('vpcs', () => true);
  expect(verdictsOf(await pickyOutcomes(refuses, ['vpcs.create.answers-resource'], { refusal }))).toEqual({
    'vpcs.create.answers-resource': 'failed',
  });
});

const withDisplayName =
  (isWrite: (request: PickyRequest) => boolean): Refuses =>
  ({ metadata: { displayName } }, request) =>
    isWrite(request) && displayName !== undefined;
const isUpdate = ({ method, path }: PickyRequest): boolean => method === 'PUT' && path.includes('/agents/');

test.each<[string, Refuses, readonly RequirementId[]]>([
  [
    'VPCs',
    withDisplayName(({ method, path }) => method === 'POST' && path.endsWith('/vpcs')),
    ['vpcs.create.answers-resource', 'vpcs.create.envelope-required', 'naming.name.valid-accepted'],
  ],
  [
    'functions',
    withDisplayName(({ method, path }) => method === 'POST' && path.endsWith('/functions')),
    ['functions.create.with-connection', 'naming.labels.string-values'],
  ],
  ['updates', withDisplayName(isUpdate), ['naming.labels.string-values']],
])('every displayName of %s refused fails the rule about them, and no other', async (_, refuses, others) => {
  const rule = 'naming.display-name.up-to-63-accepted';
  const outcomes = await pickyOutcomes(refuses, [rule, ...others], { runs: 3 });
  expect(verdictsOf(outcomes)).toEqual({
    [rule]: 'failed',
    ...Object.fromEntries(others.map((id) => [id, 'passed'])),
  });
});
