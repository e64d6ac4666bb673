/** auth.headers.*: both authorization headers, on every API. */
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import { SCHEME_WORDS } from '../../spec/observations/observation-points.ts';
import { conforms, observes } from '../engine/conforms.ts';
import type { CallerName, Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful, isAwake } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { letterCases } from '../generators/letter-cases.ts';
import { isQuotaExhausted } from '../kit/provision/quota.ts';
import type { Client, Exchange } from '../target/client.ts';
import type { HeaderInput } from '../target/request-types.ts';
import { carriersOf } from '../kit/auth/carriers.ts';
import { everyDataPlaneRequest, everyRead, everyWrite, firstCreates } from './every-request.ts';
import type { AuthenticatedRequest } from './every-request.ts';

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

async function everyRequest(run: Run): Promise<AuthenticatedRequest[]> {
  return [...everyRead(run), ...(await everyWrite(run)), ...(await everyDataPlaneRequest(run))];
}

conforms('auth.headers.authorization-accepted-on-every-api', async (run) => {
  const callers = fullCallers(run);
  run.need(callers.length, 'the credential admin or apiKey');
  const { standard, brand } = carriersOf(run);
  const all: CallerExchange[] = [];
  // Creates that are refused here are not sent again below.
  run.check(...(await firstCreates(run)).map(authenticationMismatches));
  for (const request of await everyRequest(run)) {
    const exchanges = [];
    for (const { name, token } of callers) {
      const [as, value] = [run.as(name), `Bearer ${token}`];
      const response = await request.send(as);
      exchanges.push({ caller: name, id: request.id, exchange: response });
      run.check(
        authenticationMismatches(response),
        await headerMismatches(response, () => request.send(as, brand.with(value))),
      );
    }
    run.check(await failureMismatches(run, request, exchanges));
    all.push(...exchanges);
  }
  for (const surface of ['inference', 'sandbox'])
    run.check(
      refusedCallerMismatches(
        surface,
        all.filter(({ id }) => operation(id).surface === surface),
      ),
    );
  await checkNameCases(run, standard.name);
});

interface CallerExchange {
  readonly caller: FullCaller['name'];
  readonly id: OperationId;
  readonly exchange: Exchange;
}

/** A single operation may require more than a credential has, but not every operation of an API. */
function refusedCallerMismatches(surface: string, all: readonly CallerExchange[]): Mismatch[] {
  const served = new Set(all.filter(({ exchange }) => isSuccessful(exchange)).map(({ id }) => id));
  const byCaller = Map.groupBy(
    all.filter(({ id }) => served.has(id)),
    ({ caller }) => caller,
  );
  return [...byCaller].flatMap(([caller, own]) => {
    const refused = own.find(({ exchange }) => exchange.response.status === 403);
    if (refused === undefined || own.some(({ exchange }) => isSuccessful(exchange))) return [];
    const expected = `${caller} let in by some operation of ${surface} as the other credential is`;
    return [{ expected, actual: 'status 403, and no success', exchange: refused.exchange }];
  });
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

const isFailure = (exchange: Exchange): boolean => exchange.response.status >= 500 && !isQuotaExhausted(exchange);

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

conforms('auth.headers.brand-authorization-accepted-on-every-api', async (run) => {
  const callers = fullCallers(run);
  run.need(callers.length, 'the credential admin or apiKey');
  const { brand } = carriersOf(run);
  for (const request of await everyRequest(run)) {
    for (const { name, token } of callers)
      run.check(await effectMismatches(run, request, name, brand.with(`Bearer ${token}`)));
  }
  for (const { name, token } of otherCallers(run)) {
    for (const request of everyRead(run))
      run.check(await effectMismatches(run, request, name, brand.with(`Bearer ${token}`)));
  }
  await checkNameCases(run, brand.name);
});

/** Callers with limited access: the header must not change it. */
function otherCallers({ target: { credentials } }: Run): { name: CallerName; token: string }[] {
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
  const as = run.as(caller);
  const effects = { standard: new Set<string>(), brand: new Set<string>() };
  for (let round = 1; ; round++) {
    const standard = await request.send(as);
    const brand = await request.send(as, brandHeaders);
    effects.standard.add(request.describe(standard));
    effects.brand.add(request.describe(brand));
    if (!effects.standard.isDisjointFrom(effects.brand)) return [];
    const expected = `${request.id} as with Authorization: ${request.describe(standard)}`;
    if (round === ROUNDS) return [{ expected, actual: request.describe(brand), exchange: brand, before: [standard] }];
  }
}

/** Header names have no letter case (RFC 9110 5.1). */
async function checkNameCases(run: Run, headerName: string): Promise<void> {
  const { request, value, control } = await acceptedRead(run);
  const names = [headerName.toLowerCase(), headerName.toUpperCase()];
  await run.forAll(
    { name: letterCases(headerName) },
    async ({ name }) => status(await request.send(run.as('none'), { [name]: value }), control.response.status),
    { runs: scaleRuns(run, 20), examples: names.map((name) => ({ name })) },
  );
}

interface Read {
  readonly request: AuthenticatedRequest;
  /** The whole value of the header. */
  readonly value: string;
  readonly control: Exchange;
}

/** A management read that accepts a caller. Throws NotTried if there is none. */
async function acceptedRead(run: Run): Promise<Read> {
  for (const { name, token } of fullCallers(run)) {
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
  for (const word of SCHEME_WORDS) {
    const valueWithScheme = value.replace('Bearer', word);
    run.observe(
      `${word} in Authorization`,
      observedStatus(await request.send(run.as('none'), standard.with(valueWithScheme))),
    );
    run.observe(
      `${word} in the brand header`,
      observedStatus(await request.send(run.as('none'), brand.with(valueWithScheme))),
    );
  }
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
