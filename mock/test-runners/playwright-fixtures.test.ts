import { expect, test } from 'vitest';
import { playwrightFixtures } from './playwright-fixtures.ts';
import type { MockWorld, RunningMock } from '../start-mock.ts';

const { mock: mockFixture, world: worldFixture, context: contextFixture } = playwrightFixtures;

/** What Playwright does: reads the names of the needed fixtures from the source of the function. */
const namesIn = (fixture: (...args: never[]) => unknown): string[] =>
  /\(\s*\{(.*?)\}\s*[,:]/s
    .exec(String(fixture).replace(/:\s*\{[^}]*\}/, ''))?.[1]
    ?.split(',')
    .map((each) => each.split(':', 1)[0]?.trim() ?? '') ?? [];

test('the mock is started once per worker, the world once per test', () => {
  expect(mockFixture[1]).toEqual({ scope: 'worker' });
  expect(playwrightFixtures.mockOptions[1]).toEqual({ option: true, scope: 'worker' });
  expect(typeof worldFixture).toBe('function');
});

test('the first parameter of every fixture function names the fixtures that it needs', () => {
  expect([mockFixture[0], worldFixture, contextFixture].map(namesIn)).toEqual([
    ['mockOptions'],
    ['mock', 'worldOptions'],
    ['context', 'serviceUrl', 'world'],
  ]);
});

test('requests of a page to the address of the service go to the world of the test', async () => {
  const ids: string[] = [];
  await mockFixture[0]({ mockOptions: { clock: 'frozen' } }, async (mock: RunningMock) => {
    for (const seed of [1, 2])
      await worldFixture(
        { mock, worldOptions: { seed } },
        async (world: MockWorld) => {
          ids.push(world.id);
          expect(await requestThroughPage(world, 'http://127.0.0.1:4010/v0')).toEqual(['continued', 401]);
          expect(await requestThroughPage(world, 'https://api.staging.example/v0')).toEqual(['fulfilled', 401]);
          expect(await requestThroughPage(world, 'https://api.staging.example/v0/', '/agents')).toEqual([
            'fulfilled',
            401,
          ]);
          expect(await requestThroughPage(world, 'https://api.staging.example', '/v0/agents')).toEqual([
            'fulfilled',
            401,
          ]);
          const requests = await world.requests({ operation: 'listAgents' });
          expect(requests.map(({ path }) => path)).toEqual(Array(4).fill('/v0/agents'));
          await world.faults.set([{ operation: 'listAgents', cut: 'before' }]);
          expect(await requestThroughPage(world, 'https://api.staging.example/v0')).toEqual(['aborted']);
        },
        passed,
      );
    await mock.newWorld({ id: ids[0] ?? '' }); // Rejects if the world was not closed.
  });
});

interface Change {
  url: string;
}

/** A route of Playwright that sends requests itself; the browser gets the status, or 0 if the request failed. */
function routeOf(url: string) {
  const got: (string | number)[] = [];
  const route = {
    request: () => ({ url: () => url }),
    continue: async (change: Change) => void got.push('continued', (await fetch(change.url)).status),
    fetch: async (change: Change) => fetch(change.url),
    fulfill: async ({ response }: { response: Response }) => void got.push('fulfilled', response.status),
    abort: async () => void got.push('aborted'),
  };
  return { route, got };
}

const passed = {
  status: 'passed',
  expectedStatus: 'passed',
  attach: () => Promise.reject(new Error('no attachment expected')),
};

type Handle = (route: ReturnType<typeof routeOf>['route']) => Promise<void>;

/** What a page gets that requests the agents. */
async function requestThroughPage(
  world: MockWorld,
  serviceUrl: string,
  ending = '/agents',
): Promise<(string | number)[]> {
  const base = serviceUrl.replace(/\/$/, '');
  const routes: [(url: URL) => boolean, Handle][] = [];
  const context = {
    route: async (matches: (url: URL) => boolean, handle: never) => void routes.push([matches, handle]),
    on: () => undefined,
  };
  const { route, got } = routeOf(`${base}${ending}?limit=1`);
  await contextFixture(
    { context, serviceUrl, world },
    async (given) => {
      expect(given).toBe(context);
      const [matches, handle] = routes[0] as [(url: URL) => boolean, Handle];
      const urls = ['/agents', '?a', '1'].map((end) => URL.parse(`${base}${end}`));
      expect(urls.map((url) => url !== null && matches(url))).toEqual([true, true, false]);
      await handle(route);
    },
    passed,
  );
  return got;
}

test('without an address of the service, requests of a page are not changed', async () => {
  const context = { route: () => Promise.reject(new Error('no route expected')), on: () => undefined };
  const world = { addresses: {} } as MockWorld;
  let used = false;
  await contextFixture({ context, serviceUrl: undefined, world }, async () => void (used = true), passed);
  expect(used).toBe(true);
});

test.each(['/v0', 'ws://api.example', ''])(
  'serviceUrl %j is refused with the form that is expected',
  async (serviceUrl) => {
    const context = { route: () => Promise.resolve(), on: () => undefined };
    const world = { addresses: {} } as MockWorld;
    await expect(contextFixture({ context, serviceUrl, world }, async () => {}, passed)).rejects.toThrow(
      `Invalid value ${JSON.stringify(serviceUrl)} for serviceUrl: expected a URL such as https://api.example.com/v0.`,
    );
  },
);

/** What the test has attached after a page at http://localhost:5173 sent these requests. */
async function attachmentsAfter(
  requests: readonly (readonly [url: string, type: string])[],
  serviceUrl: string | null = 'https://api.example/v0',
): Promise<string[]> {
  const attached: string[] = [];
  let listen: (request: never) => void = () => {};
  const context = {
    route: () => Promise.resolve(),
    on: (_: 'request', listener: typeof listen) => void (listen = listener),
  };
  const world = {
    addresses: { host: 'http://127.0.0.1:1/_mock/w/a', management: 'http://127.0.0.1:1/_mock/w/a/v0' },
  } as MockWorld;
  const testInfo = {
    attach: async (name: string, { body }: { body: string }) => void attached.push(`${name}: ${body}`),
  };
  const sendAll = async (): Promise<void> => {
    for (const [url, type] of requests) {
      const frame = () => ({ url: () => 'http://localhost:5173/agents' });
      listen({ url: () => url, resourceType: () => type, frame } as never);
    }
  };
  await contextFixture({ context, serviceUrl: serviceUrl ?? undefined, world }, sendAll, testInfo);
  return attached;
}

test('a page that requests only other addresses gets a hint with one of them', async () => {
  const others = [
    ['http://localhost:5173/data.json', 'fetch'],
    ['https://fonts.example/a.woff', 'font'],
    ['https://api.example/v1/agents', 'fetch'],
  ] as const;
  expect(await attachmentsAfter(others)).toEqual([
    'serviceUrl: No request of the page was to serviceUrl (https://api.example/v0), but one was to https://api.example/v1/agents',
  ]);
  expect(await attachmentsAfter(others.slice(0, 2))).toEqual([]);
  expect(await attachmentsAfter([...others, ['https://api.example/v0/agents', 'fetch']])).toEqual([]);
});

test('without serviceUrl, a page that requests only other addresses gets a hint to set it', async () => {
  const other = ['https://api.example/v0/agents', 'fetch'] as const;
  // null: undefined would be the default.
  expect(await attachmentsAfter([other], null)).toEqual([
    'serviceUrl: No request of the page was to the mock. Set serviceUrl to the address that the page calls, so that these requests go to the mock. One was to https://api.example/v0/agents',
  ]);
  expect(await attachmentsAfter([other, ['http://127.0.0.1:1/v0/agents', 'fetch']], null)).toEqual([]);
  expect(await attachmentsAfter([['http://localhost:5173/data.json', 'fetch']], null)).toEqual([]);
});

/** What a test has attached that failed after these requests. */
async function attachmentsOfFailure(paths: readonly string[]): Promise<string[]> {
  const attached: string[] = [];
  const testInfo = {
    status: 'failed',
    expectedStatus: 'passed',
    attach: async (name: string, { body }: { body: string }) => void attached.push(`${name}:\n${body}`),
  };
  await mockFixture[0]({ mockOptions: {} }, async (mock: RunningMock) =>
    worldFixture(
      { mock, worldOptions: {} },
      async ({ addresses }: MockWorld) => {
        for (const path of paths) await fetch(`${addresses.management}${path}`);
      },
      testInfo,
    ),
  );
  return attached;
}

test('a failed test prints the newest requests to the mock, with the reason of each refusal', async () => {
  expect(await attachmentsOfFailure([])).toEqual(['requests to the mock:\nNone']);
  const [printed = ''] = await attachmentsOfFailure(Array(22).fill('/agents?limit=1'));
  const [first, second = '', ...others] = printed.split('\n').slice(1);
  expect(first).toBe('… 2 earlier ones');
  expect(second).toMatch(/^GET \/v0\/agents\?limit=1 401: \w.+\.$/);
  expect(others).toEqual(Array(19).fill(second));
});
