/** oauth.authorize.*: the authorization endpoint never redirects to an unregistered URI. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { scaleRuns } from '../engine/for-all.ts';
import type { Exchange } from '../target/client.ts';
import { authorize, clientOf } from '../kit/oauth/token-requests.ts';
import type { Fields } from '../kit/oauth/token-requests.ts';
import { codeRequest } from '../kit/oauth/grants.ts';
import { almost, foreignUri, foreignUris } from './foreign-uris.ts';

/** Other mistakes in the request. The server must not report them by redirecting to the unregistered URI. */
const requests: Readonly<Record<string, Fields>> = {
  'a valid request': {},
  'without a person': { prompt: 'none' },
  'a response type that is none': { response_type: 'assay', prompt: 'none' },
  'no response type': { response_type: undefined, prompt: 'none' },
  'a scope that is none': { scope: 'assay:none', prompt: 'none' },
  'an unknown client': { client_id: 'assay-unknown', prompt: 'none' },
};

conforms('oauth.authorize.no-open-redirect', async (run) => {
  const { redirectUri } = clientOf(run);
  const registered = run.need(redirectUri, 'a redirection URI of the client');
  await needAuthorize(run);
  const uris = [...foreignUris(registered), ...(await almostRegistered(run, registered))];
  const send = async (uri: string, request: string, order: Order): Promise<Mismatch[]> => {
    const redirect_uri = orders[order](uri, registered);
    const exchange = await authorize(run, { ...codeRequest(run), ...requests[request], redirect_uri });
    return sentTo(exchange, uri, registered);
  };
  await run.forAll(
    {
      uri: foreignUri(registered),
      request: fc.constantFrom(...Object.keys(requests)),
      order: fc.constantFrom(...(Object.keys(orders) as Order[])),
    },
    ({ uri, request, order }) => send(uri, request, order),
    {
      runs: scaleRuns(run, 60),
      examples: uris.flatMap((uri) =>
        Object.keys(requests).map((request) => ({ uri, request, order: 'alone' as const })),
      ),
    },
  );
  for (const order of Object.keys(orders) as Order[]) {
    for (const uri of uris) run.check(await send(uri, 'without a person', order));
  }
});

type Order = keyof typeof orders;

/**
 * Repeated parameters are invalid (RFC 6749 section 3.1). A server that uses one of them must not use the unregistered
 * URI unchecked.
 */
const orders = {
  alone: (uri: string) => [uri],
  'before the registered one': (uri: string, registered: string) => [uri, registered],
  'after the registered one': (uri: string, registered: string) => [registered, uri],
} as const;

/** Whether the client's registered URI is accepted, with a page or a redirect. Otherwise a refusal proves nothing. */
async function needAuthorize(run: Run): Promise<void> {
  const { response } = await authorize(run, codeRequest(run));
  run.need(response.status < 400, 'an authorize endpoint that accepts the registered redirection URI');
}

/** URIs similar to the registered one, unless the server accepts any URI of that host: a pattern may be registered. */
async function almostRegistered(run: Run, registered: string): Promise<string[]> {
  const elsewhere = new URL('/assay-elsewhere', registered).href;
  const request = { ...codeRequest(run), prompt: 'none', redirect_uri: elsewhere };
  return sentTo(await authorize(run, request), elsewhere, registered).length > 0 ? [] : almost(registered);
}

/**
 * Whether the response redirects there by Location, Refresh or an automatic page. A login page may contain the URI as a
 * parameter.
 */
function sentTo(exchange: Exchange, uri: string, registered: string): Mismatch[] {
  const { status, headers, text } = exchange.response;
  const base = exchange.request.url;
  const places = [
    ...(status >= 300 && status < 400 ? [headers['location']] : []),
    urlOfRefresh(headers['refresh']),
    ...[...text.matchAll(/<meta[^>]+http-equiv=["']?refresh["']?[^>]*content=["']([^"'>]*)/gi)].map(([, content]) =>
      urlOfRefresh(content?.replaceAll('&amp;', '&')),
    ),
  ];
  return (
    places
      .filter((place) => place !== undefined && goesTo(place, uri, base))
      // The registered URI may have a query (RFC 6749 section 3.1.2), which a shorter unregistered one lacks.
      .filter((place) => place !== undefined && (uri.startsWith(registered) || !goesTo(place, registered, base)))
      .map(() => ({ expected: 'no redirect to an address that is not registered', actual: `one to ${uri}`, exchange }))
  );
}

const urlOfRefresh = (value: string | undefined): string | undefined => /url\s*=\s*(.*)$/i.exec(value ?? '')?.[1];

/** Compares as a browser does: same origin, path and query; more parameters may follow. */
function goesTo(place: string, uri: string, base: string): boolean {
  const [there, expected] = [URL.parse(place, base), URL.parse(uri, base)];
  if (place === uri || (place.startsWith(uri) && '?&#'.includes(place[uri.length] ?? ''))) return true;
  return (
    there !== null &&
    expected !== null &&
    there.protocol === expected.protocol &&
    there.host === expected.host &&
    there.pathname === expected.pathname &&
    (expected.search === '' || there.search === expected.search || there.search.startsWith(`${expected.search}&`))
  );
}
