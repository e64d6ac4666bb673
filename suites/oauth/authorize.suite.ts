/** The authorization endpoint sends nobody to an address that the client has not registered. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { scaleRuns } from '../engine/for-all.ts';
import type { Exchange } from '../target/client.ts';
import { authorize, clientOf } from '../kit/oauth/ask.ts';
import type { Fields } from '../kit/oauth/ask.ts';
import { codeRequest } from '../kit/oauth/grants.ts';
import { almost, foreignUri, foreignUris } from './foreign-uris.ts';

/** What else may be wrong with the request: the server must not tell the client at the foreign address. */
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
  const ask = async (uri: string, request: string, order: Order): Promise<Mismatch[]> => {
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
    ({ uri, request, order }) => ask(uri, request, order),
    {
      runs: scaleRuns(run, 60),
      examples: uris.flatMap((uri) =>
        Object.keys(requests).map((request) => ({ uri, request, order: 'alone' as const })),
      ),
    },
  );
  for (const order of Object.keys(orders) as Order[]) {
    for (const uri of uris) run.check(await ask(uri, 'without a person', order));
  }
});

type Order = keyof typeof orders;

/** No parameter may be there twice (RFC 6749 3.1); who takes one of them must not take the foreign one unseen. */
const orders = {
  alone: (uri: string) => [uri],
  'before the registered one': (uri: string, registered: string) => [uri, registered],
  'behind the registered one': (uri: string, registered: string) => [registered, uri],
} as const;

/** With its own address the client is let on, to a page or back: what is refused anyhow says nothing. */
async function needAuthorize(run: Run): Promise<void> {
  const { response } = await authorize(run, codeRequest(run));
  run.need(response.status < 400, 'an authorize endpoint that takes the registered redirection URI');
}

/** Of the registered one, where the server does not let the client go wherever it wants on its own host: it may have registered a pattern. */
async function almostRegistered(run: Run, registered: string): Promise<string[]> {
  const elsewhere = new URL('/assay-elsewhere', registered).href;
  const request = { ...codeRequest(run), prompt: 'none', redirect_uri: elsewhere };
  return sentTo(await authorize(run, request), elsewhere, registered).length > 0 ? [] : almost(registered);
}

/** By Location, Refresh, or a page that goes there by itself; a login page of the server's own may carry the address along. */
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
      // The registered one may have a query of its own (RFC 6749 3.1.2), which a shorter foreign one lacks.
      .filter((place) => place !== undefined && (uri.startsWith(registered) || !goesTo(place, registered, base)))
      .map(() => ({ expected: 'no redirect to an address that is not registered', actual: `one to ${uri}`, exchange }))
  );
}

const urlOfRefresh = (value: string | undefined): string | undefined => /url\s*=\s*(.*)$/i.exec(value ?? '')?.[1];

/** As a browser reads both: same origin, path and query, whatever is added behind. */
function goesTo(place: string, uri: string, base: string): boolean {
  const [there, wanted] = [URL.parse(place, base), URL.parse(uri, base)];
  if (place === uri || (place.startsWith(uri) && '?&#'.includes(place[uri.length] ?? ''))) return true;
  return (
    there !== null &&
    wanted !== null &&
    there.protocol === wanted.protocol &&
    there.host === wanted.host &&
    there.pathname === wanted.pathname &&
    (wanted.search === '' || there.search === wanted.search || there.search.startsWith(`${wanted.search}&`))
  );
}
