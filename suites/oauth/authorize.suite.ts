/** oauth.authorize.*: the authorization endpoint never redirects to an unregistered URI, and returns the state. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import type { Exchange } from '../target/client.ts';
import { authorize, clientOf } from '../kit/oauth/token-requests.ts';
import type { Fields } from '../kit/oauth/token-requests.ts';
import { challenge, codeRequest, redirectedParameters } from '../kit/oauth/grants.ts';
import { almost, foreignUri, foreignUris, isForeign } from './foreign-uris.ts';
import { judges, judgesInOrder } from '../judge/judgement.ts';
import { authorizationOf, isInvented, redirectOf, valueOf } from './seen-oauth.ts';

const registeredPage = sharedValue<Exchange>();
const redirectedOfRun = sharedValue<readonly string[]>();

/** A client that no server knows. */
const UNKNOWN = 'assay-unknown';

const WITHOUT_PERSON = 'without a person';

/** Other mistakes in the request. The server must not report them by redirecting to the unregistered URI. */
const requests: Readonly<Record<string, Fields>> = {
  'a valid request': {},
  [WITHOUT_PERSON]: { prompt: 'none' },
  'a response type that is none': { response_type: 'assay', prompt: 'none' },
  'no response type': { response_type: undefined, prompt: 'none' },
  'a scope that is none': { scope: 'assay:none', prompt: 'none' },
  'an unknown client': { client_id: UNKNOWN, prompt: 'none' },
};

judges('oauth.authorize.no-open-redirect', 'authorize', (seen) => {
  const foreign = seen.query
    .filter(([name, uri]) => name === 'redirect_uri' && (isForeign(uri) || seen.parameter('client_id') === UNKNOWN))
    .map(([, uri]) => uri);
  seen.responseHeader('location');
  return foreign.length === 0 ? undefined : foreign.flatMap((uri) => sentTo(seen.exchange, uri));
});

conforms('oauth.authorize.no-open-redirect', async (run) => {
  const { redirectUri } = clientOf(run);
  const registered = run.need(redirectUri, 'a redirection URI of the client');
  await needAuthorize(run);
  const uris = [...foreignUris(registered), ...almost(registered)];
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
      // A page for a person may redirect only later.
      classOf: ({ uri, request }) => (request === WITHOUT_PERSON ? uri : request),
      examples: uris.flatMap((uri) =>
        Object.keys(requests).map((request) => ({ uri, request, order: 'alone' as const })),
      ),
    },
  );
  const repeated = (Object.keys(orders) as Order[]).filter((order) => order !== 'alone');
  await run.forEach(
    uris.flatMap((uri) => repeated.map((order) => ({ uri, order }))),
    ({ uri, order }) => send(uri, WITHOUT_PERSON, order),
  );
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
  const { response } = await registeredPage.get(run, () => authorize(run, codeRequest(run)));
  run.need(response.status < 400, 'an authorize endpoint that accepts the registered redirection URI');
}

/**
 * Whether the response redirects there by Location, Refresh or an automatic page. A login page may contain the URI as a
 * parameter. `registered`: undefined if no redirect to the URI can be one to a registered URI.
 */
function sentTo(exchange: Exchange, uri: string, registered?: string): Mismatch[] {
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
      .filter(
        (place) =>
          registered === undefined ||
          (place !== undefined && (uri.startsWith(registered) || !goesTo(place, registered, base))),
      )
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

/** Requests that a server may answer with a redirect to the client, with a code or with an error. */
const redirected: Readonly<Record<string, Fields>> = {
  'a valid request': {},
  'without a person': { prompt: 'none' },
  'a response type that is none': { response_type: 'assay', prompt: 'none' },
  'a scope that is none': { scope: 'assay:none', prompt: 'none' },
};

/** Characters that a server may encode or decode wrongly. */
const states = ['a b', 'a+b', 'a%20b', 'a&state=b', 'a=b==', '%', '#a?b/c', ' a ', 'Aa', '~.-_*', '0', 'a'.repeat(300)];
/** RFC 6749 appendix A.5: visible ASCII and spaces. */
const anyState = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
  minLength: 1,
  maxLength: 40,
});

judges('oauth.authorize.state-returned', 'authorize', (seen) => {
  const request = authorizationOf(seen);
  const state = request && valueOf(request, 'state');
  const parameters = request && redirectOf(seen, request);
  if (state === undefined || parameters === undefined) return undefined;
  // A recording may replace it, in one place or in both.
  if ([state, parameters.get('state') ?? ''].some((each) => /\*{3}|redacted/i.test(each))) return undefined;
  return stateMismatches(parameters, state, seen.exchange);
});

conforms('oauth.authorize.state-returned', async (run) => {
  const redirectUri = run.need(clientOf(run).redirectUri, 'a redirection URI of the client');
  const send = (request: string, state: string): Promise<Exchange> =>
    authorize(run, { ...codeRequest(run), ...challenge(VERIFIER), ...redirected[request], state });
  const requestsToTry = await redirectedOfRun.get(run, async () => {
    const found: string[] = [];
    for (const request of Object.keys(redirected))
      if (isResult(redirectedParameters(await send(request, 'assay-state'), redirectUri))) found.push(request);
    return found;
  });
  run.need(requestsToTry.length, 'an authorize endpoint that redirects to the client without user interaction');
  await run.forAll(
    { state: anyState, request: fc.constantFrom(...requestsToTry) },
    async ({ state, request }) => {
      const exchange = await send(request, state);
      const parameters = redirectedParameters(exchange, redirectUri);
      // A page instead of a redirect is not judged, for example that of a firewall.
      return parameters !== undefined && isResult(parameters) ? stateMismatches(parameters, state, exchange) : [];
    },
    {
      examples: states.flatMap((state) => requestsToTry.map((request) => ({ state, request }))),
    },
  );
});

const VERIFIER = 'assay-'.repeat(8);

/** RFC 6749 sections 4.1.2 and 4.1.2.1. */
const isResult = (parameters: URLSearchParams | undefined): boolean =>
  parameters?.has('code') === true || parameters?.has('error') === true;

function stateMismatches(parameters: URLSearchParams, state: string, exchange: Exchange): Mismatch[] {
  const returned = parameters.getAll('state');
  if (returned.length === 1 && returned[0] === state) return [];
  return [{ expected: `state ${JSON.stringify(state)}`, actual: `state ${JSON.stringify(returned)}`, exchange }];
}

judgesInOrder('oauth.authorize.other-parameters-ignored', 'authorize', () => {
  const accepted = new Set<string>();
  return (seen) => {
    const request = authorizationOf(seen);
    if (request === undefined) return undefined;
    const known = [...request].filter(([name, value]) => !isIgnored(name, value));
    const key = JSON.stringify(known.map(([name, value]) => (freshParameters.includes(name) ? name : [name, value])));
    if (redirectOf(seen, request)?.has('code') === true) accepted.add(key);
    if (known.length === request.size || !accepted.has(key)) return undefined;
    // Any other response may be about the session.
    return seen.status === 400 ? noCode(seen.exchange) : [];
  };
});

/** Their values differ from one request to the next. */
const freshParameters = ['state', 'nonce', 'code_challenge'];

/** Whether a server must ignore the parameter: it has no value, or a name that assay invents. */
const isIgnored = (name: string, value: string): boolean =>
  value === '' || isInvented(name) || name === 'constructor' || name === 'toString';

const noCode = (exchange: Exchange): Mismatch[] => [
  { expected: 'a redirect with a code', actual: `status ${exchange.response.status} without a code`, exchange },
];

conforms('oauth.authorize.other-parameters-ignored', async (run) => {
  const redirectUri = run.need(clientOf(run).redirectUri, 'a redirection URI of the client');
  const send = (extra: Fields): Promise<Exchange> =>
    authorize(run, { ...codeRequest(run), ...challenge(VERIFIER), prompt: 'none', ...extra });
  const hasCode = (exchange: Exchange): boolean => redirectedParameters(exchange, redirectUri)?.has('code') === true;
  run.need(hasCode(await send({})), 'an authorize endpoint that issues a code without user interaction');
  await run.forEach([...unknownParameters, WITHOUT_VALUE], async (extra) => {
    const exchange = await send(extra);
    // A server may require a state.
    const isJudged = hasCode(exchange) || extra !== WITHOUT_VALUE || hasCode(await send({ state: undefined }));
    return hasCode(exchange) || !isJudged ? [] : noCode(exchange);
  });
});

/** Counts as omitted (RFC 6749 section 3.1). */
const WITHOUT_VALUE: Fields = { state: '' };

const unknownParameters: readonly Fields[] = [
  { assay_unknown: 'assay' },
  { 'assay:unknown[]': 'a=b&c' },
  { constructor: 'assay', toString: 'assay' },
];

judges('oauth.authorize.response-type-known', 'authorize', (seen) => {
  const request = authorizationOf(seen);
  const type = request && valueOf(request, 'response_type');
  // A request object may have it.
  if (request === undefined || request.has('request') || request.has('request_uri')) return undefined;
  if (type !== undefined && !responseTypes.includes(type)) return undefined;
  const hasCode = redirectOf(seen, request)?.has('code') === true;
  return hasCode ? codeFor(type, seen.exchange) : [];
});

const codeFor = (type: string | undefined, exchange: Exchange): Mismatch[] => [
  { expected: `no code for response_type ${type ?? 'absent'}`, actual: 'a code', exchange },
];

conforms('oauth.authorize.response-type-known', async (run) => {
  const redirectUri = run.need(clientOf(run).redirectUri, 'a redirection URI of the client');
  await needAuthorize(run);
  await run.forEach([...responseTypes, undefined], async (response_type) => {
    const request = { ...codeRequest(run), ...challenge(VERIFIER), prompt: 'none', response_type };
    const exchange = await authorize(run, request);
    const hasCode = redirectedParameters(exchange, redirectUri)?.has('code') === true;
    return hasCode ? codeFor(response_type, exchange) : [];
  });
});

/** Names are case-sensitive (RFC 6749 section 1.9). */
const responseTypes: readonly string[] = ['assay', 'CODE', 'codes', 'cod'];
