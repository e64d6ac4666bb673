import { expect, test } from 'vitest';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse } from '../testing/local-server.ts';
import { openTarget } from './open-target.ts';

const names = ['admin', 'member', 'workspaceAdmin'] as const;

/** What a caller may read of an account: nothing, the metrics, or also those by workspace. */
type Access = 'none' | 'own' | 'all';

interface Account {
  readonly access: Readonly<Partial<Record<(typeof names)[number], Access>>>;
  readonly cost?: number;
  /** Of a request that is not allowed. */
  readonly refused?: number;
}

const asNamed: Account = { access: { admin: 'all', member: 'own', workspaceAdmin: 'own' }, cost: 3 };

function respond(accounts: Readonly<Record<string, Account>>, url: string, caller: string): LocalResponse {
  if (url === '/v0/accounts') return { body: Object.keys(accounts).map((id) => ({ id, name: id.toUpperCase() })) };
  const [, id = ''] = /^\/v0\/accounts\/([^/]+)\/metrics/.exec(url) ?? [];
  const { access, cost = 0, refused = 403 } = accounts[id] ?? { access: {}, refused: 404 };
  const own = access[caller as keyof typeof access] ?? 'none';
  const isAllowed = own === 'all' || (own === 'own' && !url.includes('workspace'));
  return isAllowed ? { body: { summary: { totalCost: cost } } } : { status: refused, body: {} };
}

async function openedOn(accounts: Readonly<Record<string, Account>>, file: Partial<TargetFile> = {}) {
  await using server = await localServer(({ url, headers }) =>
    respond(accounts, url, (headers.authorization ?? '').replace('Bearer marked-', '')),
  );
  const warnings: string[] = [];
  const credentials = Object.fromEntries(names.map((name) => [name, { value: `marked-${name}` }]));
  const { account } = await openTarget(
    { addresses: { management: `${server.address}/v0` }, credentials, ...file },
    {},
    {
      warn: (sentence) => warnings.push(sentence),
    },
  );
  return { account, warnings, requests: server.received.map(({ url }) => url) };
}

const othersFirst: Readonly<Record<string, Readonly<Record<string, Account>>>> = {
  'in which the admin is a member': {
    personal: { access: { admin: 'own' }, cost: 5 },
    demo: asNamed,
  },
  'of which the member is no member': { personal: { access: { admin: 'all', workspaceAdmin: 'own' } }, demo: asNamed },
  'that is unknown to the workspace admin': {
    personal: { access: { admin: 'all', member: 'own' }, refused: 404 },
    demo: asNamed,
  },
  'in which the workspace admin is an account admin': {
    personal: { ...asNamed, access: { ...asNamed.access, workspaceAdmin: 'all' } },
    demo: { ...asNamed, cost: 0 },
  },
  'without cost': { personal: { ...asNamed, cost: 0 }, closed: { access: {} }, demo: asNamed },
};

test.each(Object.entries(othersFirst))('an account %s is not chosen', async (_, accounts) => {
  expect(await openedOn(accounts)).toMatchObject({ account: 'demo', warnings: [] });
});

test('the first of several accounts that fit equally is chosen, and further ones are not tried', async () => {
  const { account, requests } = await openedOn({ first: asNamed, second: asNamed });
  expect(account).toBe('first');
  expect(requests.filter((url) => url.includes('second'))).toEqual([]);
  expect((await openedOn({ first: { ...asNamed, cost: 0 }, second: { ...asNamed, cost: 0 } })).account).toBe('first');
});

test('no account is chosen if a credential lacks its role in each', async () => {
  const personal = { access: { admin: 'all' } } as const;
  const accounts = { personal, team: { access: { admin: 'own', member: 'own', workspaceAdmin: 'own' } } } as const;
  expect(await openedOn(accounts)).toMatchObject({
    account: undefined,
    warnings: [
      'GET /accounts lists personal, team, and in each of them a credential lacks its role (admin, member, workspaceAdmin). Set account in the target file.',
    ],
  });
  expect(await openedOn(accounts, { account: 'team' })).toMatchObject({ account: 'team', warnings: [] });
});

test.each([
  ['the only one of a list', { demo: { access: { admin: 'own' } } }],
  [
    'the only one that metrics accept',
    { closed: { access: {} }, demo: { access: { admin: 'own' } }, other: { access: {} } },
  ],
] as const)('%s is used whatever the roles are', async (_, accounts) => {
  expect(await openedOn(accounts)).toMatchObject({ account: 'demo', warnings: [] });
});

test('no further request is sent if the list has one account', async () => {
  const { requests } = await openedOn({ demo: asNamed });
  expect(requests).toEqual(['/v0/accounts', expect.stringMatching(/^\/v0\/accounts\/demo\/metrics\?/)]);
});

test('a response other than 403 and 404 does not decide', async () => {
  const broken = { ...asNamed, access: { ...asNamed.access, admin: 'own' }, refused: 400 } as const;
  expect((await openedOn({ broken, demo: { access: { admin: 'own' } } })).account).toBe('broken');
});
