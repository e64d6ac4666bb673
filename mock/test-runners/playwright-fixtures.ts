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
interface Route<Response> {
  request(): { url(): string };
  continue(change: { url: string }): Promise<void>;
  fetch(change: { url: string }): Promise<Response>;
  fulfill(options: { response: Response }): Promise<void>;
  abort(): Promise<void>;
}

/** The part of Playwright's BrowserContext that is used. */
interface Context {
  route<Response>(matches: (url: URL) => boolean, handle: (route: Route<Response>) => Promise<void>): Promise<unknown>;
}

async function context<Given extends Context>(
  { context: given, serviceUrl, world: { addresses } }: Pick<PageFixtures, 'serviceUrl' | 'world'> & { context: Given },
  use: (context: Given) => Promise<void>,
): Promise<void> {
  if (serviceUrl !== undefined) {
    const isCalled = ({ href }: URL) => href === serviceUrl || href.startsWith(`${serviceUrl}/`);
    const redirect = redirectBetween(serviceUrl, addresses.management);
    await given.route(isCalled, redirect);
  }
  await use(given);
}

/** Playwright cannot continue a request with another protocol; sent by Playwright instead, its response is not streamed. */
function redirectBetween(from: string, to: string): <Response>(route: Route<Response>) => Promise<void> {
  const hasSameProtocol = new URL(from).protocol === new URL(to).protocol;
  return async (route) => {
    const url = `${to}${route.request().url().slice(from.length)}`;
    if (hasSameProtocol) return route.continue({ url });
    const response = await route.fetch({ url }).catch(() => undefined);
    return response === undefined ? route.abort() : route.fulfill({ response });
  };
}

export const playwrightFixtures = {
  mockOptions: [{}, { option: true, scope: 'worker' }],
  mock: [mock, { scope: 'worker' }],
  worldOptions: [{}, { option: true }],
  world,
  serviceUrl: [undefined, { option: true }],
  context,
} as const;
