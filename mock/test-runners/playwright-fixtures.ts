/** The fixtures of `@svc/assay/playwright`. Apart from it, so that they can be tested without Playwright. */
import { mock, world, type WorldFixtures } from './fixtures.ts';

export interface PageFixtures extends WorldFixtures {
  /**
   * The management address that the tested page calls, such as http://127.0.0.1:4010/v0. Its requests go to the test's world
   * instead. Default: the page's requests are not changed.
   */
  serviceUrl: string | undefined;
}

/** The part of Playwright's Route that is used. */
interface Route {
  request(): { url(): string };
  continue(change: { url: string }): Promise<void>;
}

/** The part of Playwright's BrowserContext that is used. */
interface Context {
  route(matches: (url: URL) => boolean, handle: (route: Route) => Promise<void>): Promise<unknown>;
}

async function context<Given extends Context>(
  { context: given, serviceUrl, world: { addresses } }: Pick<PageFixtures, 'serviceUrl' | 'world'> & { context: Given },
  use: (context: Given) => Promise<void>,
): Promise<void> {
  if (serviceUrl !== undefined) {
    const isCalled = ({ href }: URL) => href === serviceUrl || href.startsWith(`${serviceUrl}/`);
    await given.route(isCalled, (route) =>
      route.continue({ url: `${addresses.management}${route.request().url().slice(serviceUrl.length)}` }),
    );
  }
  await use(given);
}

export const playwrightFixtures = {
  mockOptions: [{}, { option: true, scope: 'worker' }],
  mock: [mock, { scope: 'worker' }],
  worldOptions: [{}, { option: true }],
  world,
  serviceUrl: [undefined, { option: true }],
  context,
} as const;
