/** auth.headers.*: both authorization headers, on every API. */
import { SCHEME_WORDS, TOKEN_SPELLINGS } from '../../spec/observations/observation-points.ts';
import { conforms, observes } from '../engine/conforms.ts';
import type { CallerName, Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSettled, isSuccessful, isAwake } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import { letterCases } from '../generators/letter-cases.ts';
import { respelledValues } from '../generators/respelled-jwt.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import { mayBeFull } from '../kit/provision/quota.ts';
import type { Client, Exchange } from '../target/client.ts';
import type { HeaderInput } from '../target/request-types.ts';
import { needSettledAgent } from '../kit/auth/agent-updates.ts';
import { carriersOf } from '../kit/auth/carriers.ts';
import {
  byName,
  DATA_PLANE_CONCURRENCY,
  everyDataPlaneRequest,
  everyRead,
  everyWrite,
  firstCreates,
} from './every-request.ts';
import type { AuthenticatedRequest } from './every-request.ts';
import { allOf, judgesInOrder } from '../judge/judgement.ts';
import { acceptingIds, carrierOf, differentByBrandHeader, isFull, refusedWhileValid } from './seen-acceptance.ts';

interface FullCaller {
  readonly name: 'admin' | 'apiKey';
  readonly token: string;
}

/** Callers that every operation accepts. */
function fullCallers({ target: { credentials } }: Run): FullCaller[] {
  return (['admin', 'apiKey'] as const).flatMap((name) => {
    const token = credentials[name]?.value;
    return token === undefined ? [] : [{ name, token }];
  });
}

interface RequestGroup {
  readonly requests: ReadonlyMap<string, AuthenticatedRequest>;
  /** Requests that may be sent at the same time. */
  readonly concurrency: number;
}

/** Requests of the management API, of which some change the same agent, and of the others. */
async function requestGroups(run: Run): Promise<RequestGroup[]> {
  return [
    { requests: byName([...everyRead(run), ...(await everyWrite(run))]), concurrency: 1 },
    { requests: byName(await everyDataPlaneRequest(run)), concurrency: DATA_PLANE_CONCURRENCY },
  ];
}

judgesInOrder(
  'auth.headers.authorization-accepted-on-every-api',
  [...acceptingIds, 'getAgent'],
  refusedWhileValid((seen, caller, facts) => isFull(caller) && carrierOf(seen, facts) === 'standard'),
);

conforms('auth.headers.authorization-accepted-on-every-api', async (run) => {
  const callers = fullCallers(run);
  run.need(callers.length, 'the credential admin or apiKey');
  const { standard, brand } = carriersOf(run);
  // Creates that are refused here are not sent again below.
  run.check(...(await firstCreates(run)).map(authenticationMismatches));
  const acceptanceMismatches = async (request: AuthenticatedRequest): Promise<readonly Mismatch[]> => {
    if ((await request.isUsable?.()) === false) return [];
    const exchanges: CallerExchange[] = [];
    const found: Mismatch[] = [];
    for (const { name, token } of callers) {
      const [as, value] = [run.as(name), `Bearer ${token}`];
      const response = await request.send(as);
      exchanges.push({ caller: name, exchange: response });
      found.push(
        ...authenticationMismatches(response),
        ...(await headerMismatches(response, () => request.send(as, brand.with(value)))),
      );
    }
    if (found.length > 0) return found;
    const forbidden = forbiddenCaller(exchanges);
    if (forbidden !== undefined) return run.skipInput(`${forbidden} with a role that may use ${request.id}`);
    return failureMismatches(run, request, exchanges);
  };
  for (const { requests, concurrency } of await requestGroups(run))
    await run.forEach([...requests.keys()], (name) => acceptanceMismatches(requests.get(name)!), { concurrency });
  await checkNameCases(run, standard.name);
});

interface CallerExchange {
  readonly caller: FullCaller['name'];
  readonly exchange: Exchange;
}

/** 403 to one of two credentials says that it is valid, and may have no role here. */
function forbiddenCaller(exchanges: readonly CallerExchange[]): FullCaller['name'] | undefined {
  if (!exchanges.some(({ exchange }) => isSuccessful(exchange))) return undefined;
  return exchanges.find(({ exchange }) => exchange.response.status === 403)?.caller;
}

/** A server error with one credential while the other one succeeds before and after counts as a refusal. */
async function failureMismatches(
  run: Run,
  request: AuthenticatedRequest,
  exchanges: readonly CallerExchange[],
): Promise<Mismatch[]> {
  const other = exchanges.find(({ exchange }) => isSuccessful(exchange));
  const failed = exchanges.find(({ exchange }) => isFailure(exchange));
  if (other === undefined || failed === undefined) return [];
  const repeated = await eventually(() => request.send(run.as(failed.caller)), isAwake, run.patienceSeconds);
  const control = await request.send(run.as(other.caller));
  if (!isFailure(repeated) || !isSuccessful(control)) return [];
  const expected = `${failed.caller} served by ${request.id} as the other credential is`;
  return [{ expected, actual: `status ${repeated.response.status}`, exchange: repeated, before: [control] }];
}

const isFailure = (exchange: Exchange): boolean => exchange.response.status >= 500 && !mayBeFull(exchange);

/** Any status except 401 means that the credential was recognized. */
const authenticationMismatches = (exchange: Exchange): Mismatch[] =>
  exchange.response.status === 401
    ? [{ expected: `a valid credential accepted at ${exchange.operation}`, actual: 'status 401', exchange }]
    : [];

/** A 403 may have other reasons than the header, unless the same credential is accepted in the other header. */
async function headerMismatches(exchange: Exchange, other: () => Promise<Exchange>): Promise<Mismatch[]> {
  if (exchange.response.status !== 403) return [];
  const { response } = await other();
  return [401, 403].includes(response.status) ? [] : status(exchange, response.status);
}

judgesInOrder(
  'auth.headers.brand-authorization-accepted-on-every-api',
  [...acceptingIds, 'getAgent'],
  allOf(
    refusedWhileValid((seen, caller, facts) => isFull(caller) && carrierOf(seen, facts) === 'brand'),
    differentByBrandHeader,
  ),
);

conforms('auth.headers.brand-authorization-accepted-on-every-api', async (run) => {
  const callers = fullCallers(run);
  run.need(callers.length, 'the credential admin or apiKey');
  const { brand } = carriersOf(run);
  const sendAs = ({ name, token }: NamedToken, request: AuthenticatedRequest): Promise<Mismatch[]> =>
    effectMismatches(run, request, name, brand.with(`Bearer ${token}`));
  for (const { requests, concurrency } of await requestGroups(run)) {
    const inTurn = callers.flatMap((_, row) =>
      [...requests.keys()].map((request, column) => ({
        request,
        caller: callers[(row + column) % callers.length]!.name,
      })),
    );
    const test = ({ request, caller }: { request: string; caller: FullCaller['name'] }) =>
      sendAs(
        callers.find(({ name }) => name === caller)!,
        requests.get(request)!,
      );
    await run.forEach(inTurn, test, { concurrency, all: true });
  }
  const reads = byName(everyRead(run));
  const others = otherCallers(run);
  const pairs = [...reads.keys()].flatMap((read, row) =>
    others
      .filter(({ name }, column) => name === 'unrelated' || column === row % others.length)
      .map(({ name }) => ({ read, caller: name })),
  );
  await run.forEach(pairs, ({ read, caller }) =>
    sendAs(
      others.find(({ name }) => name === caller)!,
      reads.get(read)!,
    ),
  );
  await checkNameCases(run, brand.name);
});

interface NamedToken {
  readonly name: CallerName;
  readonly token: string;
}

/** Callers with limited access: the header must not change it. */
function otherCallers({ target: { credentials } }: Run): NamedToken[] {
  const named = (['member', 'workspaceAdmin', 'unrelated'] as const).flatMap((name) => {
    const token = credentials[name]?.value;
    return token === undefined ? [] : [{ name, token }];
  });
  const update = credentials.scoped['agents:update']?.value;
  return update === undefined ? named : [...named, { name: { scoped: 'agents:update' }, token: update }];
}

const ROUNDS = 3;

/** Repeated if the effects differ, since some responses vary. */
async function effectMismatches(
  run: Run,
  request: AuthenticatedRequest,
  caller: CallerName,
  brandHeaders: HeaderInput,
): Promise<Mismatch[]> {
  if ((await request.isUsable?.()) === false) return [];
  const as = run.as(caller);
  const effects = { standard: new Set<string>(), brand: new Set<string>() };
  for (let round = 1; ; round++) {
    // In turn, because what a server adds to every other response does not depend on the header.
    const early = round % 2 === 0 ? await request.send(as, brandHeaders) : undefined;
    const standard = await request.send(as);
    const brand = early ?? (await request.send(as, brandHeaders));
    effects.standard.add(request.describe(standard));
    effects.brand.add(request.describe(brand));
    if (!effects.standard.isDisjointFrom(effects.brand)) return [];
    if (round < ROUNDS) continue;
    if (request.id === 'updateAgent' && ![standard, brand].every(isSettled)) await needSettledAgent(run);
    const expected = `${request.id} as with Authorization: ${request.describe(standard)}`;
    return [{ expected, actual: request.describe(brand), exchange: brand, before: [standard] }];
  }
}

/** Header names have no letter case (RFC 9110 5.1). */
async function checkNameCases(run: Run, headerName: string): Promise<void> {
  const { request, value, control } = await acceptedRead(run);
  const names = [headerName.toLowerCase(), headerName.toUpperCase()];
  await run.forAll(
    { name: letterCases(headerName) },
    async ({ name }) => status(await request.send(run.as('none'), { [name]: value }), control.response.status),
    { examples: names.map((name) => ({ name })) },
  );
}

interface Read {
  readonly request: AuthenticatedRequest;
  /** The whole value of the header. */
  readonly value: string;
  readonly control: Exchange;
}

/** A management read that accepts one of the callers. Throws NotTried if there is none. */
async function acceptedRead(run: Run, callers = fullCallers(run)): Promise<Read> {
  for (const { name, token } of callers) {
    for (const request of everyRead(run)) {
      const control = await request.send(run.as(name));
      if (isSuccessful(control)) return { request, value: `Bearer ${token}`, control };
    }
  }
  return run.need(undefined, 'a management read that accepts admin or apiKey');
}

const observedStatus = ({ response }: Exchange) => ({ status: response.status });

observes('auth.headers.scheme-word-any-case', async (run) => {
  const { request, value } = await acceptedRead(run);
  const { standard, brand } = carriersOf(run);
  const observe = async (word: (typeof SCHEME_WORDS)[number]) => {
    const valueWithScheme = value.replace('Bearer', word);
    run.observe(
      `${word} in Authorization`,
      observedStatus(await request.send(run.as('none'), standard.with(valueWithScheme))),
    );
    run.observe(
      `${word} in the brand header`,
      observedStatus(await request.send(run.as('none'), brand.with(valueWithScheme))),
    );
    return [];
  };
  await run.forEach(SCHEME_WORDS, observe, { sequential: true });
});

observes('auth.headers.token-spelling', async (run) => {
  const jwts = fullCallers(run).filter(({ token }) => readJwt(token) !== undefined);
  run.need(jwts.length, 'admin or apiKey with a JWT');
  const { request, value } = await acceptedRead(run, jwts);
  const { standard } = carriersOf(run);
  const observe = async (spelling: (typeof TOKEN_SPELLINGS)[number]) => {
    const token = await run.tokens.valid(value.slice('Bearer '.length));
    const respelled = respelledValues[spelling](token);
    if (respelled !== undefined)
      run.observe(spelling, observedStatus(await request.send(run.as('none'), standard.with(respelled))));
    return [];
  };
  await run.forEach(TOKEN_SPELLINGS, observe, { sequential: true });
});

observes('auth.headers.which-one-wins', async (run) => {
  const { request, value } = await acceptedRead(run);
  const anonymous = run.as('none');
  const unknown = 'Bearer assay-unknown-credential';
  run.observe(
    'the same valid credential in both',
    observedStatus(await request.send(anonymous, withBothHeaders(run, value, value))),
  );
  run.observe(
    'valid in Authorization, unknown in the brand header',
    observedStatus(await request.send(anonymous, withBothHeaders(run, value, unknown))),
  );
  run.observe(
    'unknown in Authorization, valid in the brand header',
    observedStatus(await request.send(anonymous, withBothHeaders(run, unknown, value))),
  );
  const { unrelated } = run.target.credentials;
  if (unrelated === undefined) return;
  await observeTwo(run, { request, anonymous, strong: value, weak: `Bearer ${unrelated.value}` });
});

interface TwoCallers {
  readonly request: AuthenticatedRequest;
  readonly anonymous: Client;
  readonly strong: string;
  readonly weak: string;
}

async function observeTwo(run: Run, { request, anonymous, strong, weak }: TwoCallers): Promise<void> {
  run.observe(
    'two valid credentials, the privileged one in Authorization',
    observedStatus(await request.send(anonymous, withBothHeaders(run, strong, weak))),
  );
  run.observe(
    'two valid credentials, the privileged one in the brand header',
    observedStatus(await request.send(anonymous, withBothHeaders(run, weak, strong))),
  );
}

function withBothHeaders(run: Run, standard: string, brand: string): HeaderInput {
  const carriers = carriersOf(run);
  return { ...carriers.brand.with(brand), ...carriers.standard.with(standard) };
}
