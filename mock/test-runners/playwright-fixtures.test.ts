import { expect, test } from 'vitest';
import { playwrightFixtures } from './playwright-fixtures.ts';
import type { MockWorld, RunningMock } from '../start-mock.ts';

type Handler = Parameters<Parameters<typeof playwrightFixtures.context>[0]['context']['route']>;
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
      await worldFixture({ mock, worldOptions: { seed } }, async (world: MockWorld) => {
        ids.push(world.id);
        await requestThroughPage(world);
        const requests = await world.requests({ operation: 'listAgents' });
        expect(requests.map(({ path }) => path)).toEqual(['/v0/agents']);
      });
    await mock.newWorld({ id: ids[0] ?? '' }); // Rejects if the world was not closed.
  });
});

/** A page that requests the agents of http://127.0.0.1:4010/v0. */
async function requestThroughPage(world: MockWorld): Promise<void> {
  const handlers: Handler[] = [];
  const context = { route: async (...handler: Handler) => void handlers.push(handler) };
  await contextFixture({ context, serviceUrl: 'http://127.0.0.1:4010/v0', world }, async (given) => {
    expect(given).toBe(context);
    const url = 'http://127.0.0.1:4010/v0/agents?limit=1';
    const [matches, handle] = handlers[0] ?? expect.fail('no route');
    expect(
      ['http://127.0.0.1:4010/v0', url, 'http://127.0.0.1:4010/v01', 'http://127.0.0.1:4010/'].map((each) =>
        matches(new URL(each)),
      ),
    ).toEqual([true, true, false, false]);
    await handle({ request: () => ({ url: () => url }), continue: async (change) => void (await fetch(change.url)) });
  });
}

test('without an address of the service, requests of a page are not changed', async () => {
  const context = { route: () => Promise.reject(new Error('no route expected')) };
  const world = { addresses: {} } as MockWorld;
  let used = false;
  await contextFixture({ context, serviceUrl: undefined, world }, async () => void (used = true));
  expect(used).toBe(true);
});
