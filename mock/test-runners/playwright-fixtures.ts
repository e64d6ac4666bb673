/** The fixtures of `@svc/assay/playwright`. Apart from it, so that they can be tested without Playwright. */
import type { MockWorld } from '../start-mock.ts';
import { describeRequests } from './describe-requests.ts';
import { mock, world as runWorld, type MockFixtures, type WorldFixtures } from './fixtures.ts';

export interface PageFixtures extends WorldFixtures {
  /**
   * The address that the tested page calls: the management address, such as https://api.example.com/v0, or the host, such as
   * https://api.example.com, with everything below it. Requests of the page go to the test's world instead. Requests of the
   * fixture `request` do not, because Playwright does not route them: pass them the addresses of `world`. Default: requests
   * are not changed.
   */
  serviceUrl: string | undefined;
}

/** The options of a test, for `defineConfig<MockTestOptions, MockWorkerOptions>` of Playwright. */
export type MockTestOptions = Pick<PageFixtures, 'serviceUrl' | 'worldOptions'>;

/** The options of a worker. */
export type MockWorkerOptions = Pick<MockFixtures, 'mockOptions'>;

/** The part of Playwright's Route that is used. */
interface Route<Response> {
  request(): { url(): string };
  continue(change: { url: string }): Promise<void>;
  fetch(change: { url: string }): Promise<Response>;
  fulfill(options: { response: Response }): Promise<void>;
  abort(): Promise<void>;
}

/** The part of Playwright's Request that is used. */
interface Request {
  url(): string;
  resourceType(): string;
  frame(): { url(): string };
}

/** The part of Playwright's TestInfo that prints a text if the test fails. */
interface Attachments {
  attach(name: string, options: { body: string; contentType: string }): Promise<void>;
}

interface TestInfo extends Attachments {
  readonly status?: string;
  readonly expectedStatus: string;
}

/** The part of Playwright's BrowserContext that is used. */
interface Context {
  on(event: 'request', listen: (request: Request) => void): unknown;
  route<Response>(matches: (url: URL) => boolean, handle: (route: Route<Response>) => Promise<void>): Promise<unknown>;
}

async function world(
  { mock: running, worldOptions }: Pick<MockFixtures, 'mock'> & Pick<WorldFixtures, 'worldOptions'>,
  use: (world: MockWorld) => Promise<void>,
  testInfo: TestInfo,
): Promise<void> {
  await runWorld({ mock: running, worldOptions }, async (added) => {
    await use(added);
    if (testInfo.status === testInfo.expectedStatus) return;
    const body = await describeRequests(added);
    if (body !== undefined) await testInfo.attach('requests to the mock', { body, contentType: 'text/plain' });
  });
}

async function context<Given extends Context>(
  { context: given, serviceUrl, world: { addresses } }: Pick<PageFixtures, 'serviceUrl' | 'world'> & { context: Given },
  use: (context: Given) => Promise<void>,
  testInfo: Attachments,
): Promise<void> {
  if (serviceUrl === undefined) return useWithoutServiceUrl(given, addresses, use, testInfo);
  const from = parseServiceUrl(serviceUrl);
  const isCalled = ({ href }: URL) => href === from || href.startsWith(`${from}/`) || href.startsWith(`${from}?`);
  await given.route(isCalled, redirectBetween(from, isOrigin(from) ? addresses.host : addresses.management));
  const describeMistake = watchRequests(given, isCalled);
  await use(given);
  const mistake = describeMistake();
  if (mistake !== undefined)
    await attachHint(testInfo, `No request of the page was to serviceUrl (${serviceUrl}), but one was to ${mistake}`);
}

async function useWithoutServiceUrl<Given extends Context>(
  given: Given,
  { host }: MockWorld['addresses'],
  use: (context: Given) => Promise<void>,
  testInfo: Attachments,
): Promise<void> {
  const describeMistake = watchRequests(given, ({ origin }) => origin === new URL(host).origin);
  await use(given);
  const other = describeMistake();
  if (other === undefined) return;
  const hint = 'No request of the page was to the mock. Set serviceUrl to the address that the page calls';
  await attachHint(testInfo, `${hint}, so that these requests go to the mock. One was to ${other}`);
}

const attachHint = (testInfo: Attachments, body: string): Promise<void> =>
  testInfo.attach('serviceUrl', { body, contentType: 'text/plain' });

/** Requests that scripts send to an API. */
const API_REQUESTS = ['fetch', 'xhr', 'eventsource'];

/** Returns a function: undefined if a request was to the service, otherwise a URL of another origin that the page requested. */
function watchRequests(watched: Context, isCalled: (url: URL) => boolean): () => string | undefined {
  let [wasCalled, other] = [false, undefined as string | undefined];
  watched.on('request', (request) => {
    const url = new URL(request.url());
    if (isCalled(url)) wasCalled = true;
    else if (API_REQUESTS.includes(request.resourceType()) && url.origin !== pageOrigin(request)) other ??= url.href;
  });
  return () => (wasCalled ? undefined : other);
}

/** Undefined if the request is of a service worker. */
function pageOrigin(request: Request): string | undefined {
  try {
    return URL.parse(request.frame().url())?.origin;
  } catch {
    return undefined;
  }
}

/** Without a trailing slash. Throws a TypeError for anything but a URL of http or https. */
function parseServiceUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      `Invalid value ${JSON.stringify(text)} for serviceUrl: expected a URL such as https://api.example.com/v0.`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

const isOrigin = (address: string): boolean => new URL(address).pathname === '/';

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
