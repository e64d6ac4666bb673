/** The two headers that carry a credential, on every API. */
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
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
import type { Asked } from './every-request.ts';

interface FullCaller {
  readonly name: 'admin' | 'apiKey';
  readonly token: string;
}

/** Whom every operation lets in. */
function fullCallers({ target: { credentials } }: Run): FullCaller[] {
  return (['admin', 'apiKey'] as const).flatMap((name) => {
    const token = credentials[name]?.value;
    return token === undefined ? [] : [{ name, token }];
  });
}

async function everyRequest(run: Run): Promise<Asked[]> {
  return [...everyRead(run), ...(await everyWrite(run)), ...(await everyDataPlaneRequest(run))];
}

conforms(
  'auth.headers.authorization-accepted-on-every-api',
  async (run) => {
    const callers = fullCallers(run);
    run.need(callers.length, 'the credential admin or apiKey');
    const { standard, brand } = carriersOf(run);
    const all: Answered[] = [];
    // What is refused at its first create is not asked again below.
    run.check(...(await firstCreates(run)).map(authenticated));
    for (const request of await everyRequest(run)) {
      const answers = [];
      for (const { name, token } of callers) {
        const [as, value] = [run.as(name), `Bearer ${token}`];
        const answer = await request.ask(as);
        answers.push({ caller: name, id: request.id, exchange: answer });
        run.check(authenticated(answer), await asByOther(answer, () => request.ask(as, brand.with(value))));
      }
      run.check(await failsFor(run, request, answers));
      all.push(...answers);
    }
    for (const surface of ['inference', 'sandbox'])
      run.check(
        shutOut(
          surface,
          all.filter(({ id }) => operation(id).surface === surface),
        ),
      );
    await nameInAnyCase(run, standard.name);
  },
  { sequential: true },
);

interface Answered {
  readonly caller: FullCaller['name'];
  readonly id: OperationId;
  readonly exchange: Exchange;
}

/** One operation may ask for more than a credential has: not everything on an API that the other kind is let in to. */
function shutOut(surface: string, all: readonly Answered[]): Mismatch[] {
  const served = new Set(all.filter(({ exchange }) => isSuccessful(exchange)).map(({ id }) => id));
  const byCaller = Map.groupBy(
    all.filter(({ id }) => served.has(id)),
    ({ caller }) => caller,
  );
  return [...byCaller].flatMap(([caller, own]) => {
    const refused = own.find(({ exchange }) => exchange.answer.status === 403);
    if (refused === undefined || own.some(({ exchange }) => isSuccessful(exchange))) return [];
    const expected = `${caller} let in by some operation of ${surface} as the other credential is`;
    return [{ expected, actual: 'status 403, and no success', exchange: refused.exchange }];
  });
}

/** A server that fails at one credential, and serves the other before and after, has not accepted it. */
async function failsFor(run: Run, request: Asked, answers: readonly Answered[]): Promise<Mismatch[]> {
  const other = answers.find(({ exchange }) => isSuccessful(exchange));
  const failed = answers.find(({ exchange }) => isFailure(exchange));
  if (other === undefined || failed === undefined) return [];
  const again = await eventually(() => request.ask(run.as(failed.caller)), isAwake, run.patienceSeconds);
  const control = await request.ask(run.as(other.caller));
  if (!isFailure(again) || !isSuccessful(control)) return [];
  const expected = `${failed.caller} served by ${request.id} as the other credential is`;
  return [{ expected, actual: `status ${again.answer.status}`, exchange: again, before: [control] }];
}

const isFailure = (exchange: Exchange): boolean => exchange.answer.status >= 500 && !isQuotaExhausted(exchange);

/** Whatever else the answer is, the credential was taken for one. */
const authenticated = (exchange: Exchange): Mismatch[] =>
  exchange.answer.status === 401
    ? [{ expected: `a valid credential accepted at ${exchange.operation}`, actual: 'status 401', exchange }]
    : [];

/** 403 may be for other reasons than the header: not where the same credential comes further in the other one. */
async function asByOther(exchange: Exchange, other: () => Promise<Exchange>): Promise<Mismatch[]> {
  if (exchange.answer.status !== 403) return [];
  const { answer } = await other();
  return [401, 403].includes(answer.status) ? [] : status(exchange, answer.status);
}

conforms(
  'auth.headers.brand-authorization-accepted-on-every-api',
  async (run) => {
    const callers = fullCallers(run);
    run.need(callers.length, 'the credential admin or apiKey');
    const { brand } = carriersOf(run);
    for (const request of await everyRequest(run)) {
      for (const { name, token } of callers)
        run.check(await sameEffect(run, request, name, brand.with(`Bearer ${token}`)));
    }
    for (const { name, token } of otherCallers(run)) {
      for (const request of everyRead(run))
        run.check(await sameEffect(run, request, name, brand.with(`Bearer ${token}`)));
    }
    await nameInAnyCase(run, brand.name);
  },
  { sequential: true },
);

/** Who is let in by some operations only, or in some cases: the header must not change which. */
function otherCallers({ target: { credentials } }: Run): { name: CallerName; token: string }[] {
  const named = (['member', 'workspaceAdmin', 'unrelated'] as const).flatMap((name) => {
    const token = credentials[name]?.value;
    return token === undefined ? [] : [{ name, token }];
  });
  const update = credentials.scoped['agents:update']?.value;
  return update === undefined ? named : [...named, { name: { scoped: 'agents:update' }, token: update }];
}

const ROUNDS = 3;

/** Asked again where the two differ: what changes by itself is no fault. */
async function sameEffect(run: Run, request: Asked, caller: CallerName, byBrand: HeaderInput): Promise<Mismatch[]> {
  const as = run.as(caller);
  const looks = { standard: new Set<string>(), brand: new Set<string>() };
  for (let round = 1; ; round++) {
    const standard = await request.ask(as);
    const brand = await request.ask(as, byBrand);
    looks.standard.add(request.looks(standard));
    looks.brand.add(request.looks(brand));
    if (!looks.standard.isDisjointFrom(looks.brand)) return [];
    const expected = `${request.id} as with Authorization: ${request.looks(standard)}`;
    if (round === ROUNDS) return [{ expected, actual: request.looks(brand), exchange: brand, before: [standard] }];
  }
}

/** Header names have no letter case (RFC 9110 5.1). */
async function nameInAnyCase(run: Run, written: string): Promise<void> {
  const { request, value, control } = await readOf(run);
  const names = [written.toLowerCase(), written.toUpperCase()];
  await run.forAll(
    { name: letterCases(written) },
    async ({ name }) => status(await request.ask(run.as('none'), { [name]: value }), control.answer.status),
    { runs: scaleRuns(run, 20), examples: names.map((name) => ({ name })) },
  );
}

interface Read {
  readonly request: Asked;
  /** The whole value of the header. */
  readonly value: string;
  readonly control: Exchange;
}

/** A management operation that reads and lets a caller in. Throws NotTried where there is none. */
async function readOf(run: Run): Promise<Read> {
  for (const { name, token } of fullCallers(run)) {
    for (const request of everyRead(run)) {
      const control = await request.ask(run.as(name));
      if (isSuccessful(control)) return { request, value: `Bearer ${token}`, control };
    }
  }
  return run.need(undefined, 'a management operation that reads, and lets admin or apiKey in');
}

const seen = ({ answer: { status: code } }: Exchange): string =>
  code === 401 || code === 403 ? `refused ${code}` : `accepted ${code}`;

observes('auth.headers.scheme-word-any-case', async (run) => {
  const { request, value } = await readOf(run);
  const { standard, brand } = carriersOf(run);
  for (const word of ['bearer', 'BEARER', 'bEaReR']) {
    const spelt = value.replace('Bearer', word);
    run.observe(`${word} in Authorization`, seen(await request.ask(run.as('none'), standard.with(spelt))));
    run.observe(`${word} in the brand header`, seen(await request.ask(run.as('none'), brand.with(spelt))));
  }
});

observes('auth.headers.which-one-wins', async (run) => {
  const { request, value } = await readOf(run);
  const nobody = run.as('none');
  const unknown = 'Bearer assay-unknown-credential';
  run.observe('a valid one in both', seen(await request.ask(nobody, inBoth(run, value, value))));
  run.observe(
    'valid in Authorization, unknown in the brand header',
    seen(await request.ask(nobody, inBoth(run, value, unknown))),
  );
  run.observe(
    'unknown in Authorization, valid in the brand header',
    seen(await request.ask(nobody, inBoth(run, unknown, value))),
  );
  const { unrelated } = run.target.credentials;
  if (unrelated === undefined) return;
  await observeTwo(run, { request, nobody, strong: value, weak: `Bearer ${unrelated.value}` });
});

interface TwoCallers {
  readonly request: Asked;
  readonly nobody: Client;
  readonly strong: string;
  readonly weak: string;
}

async function observeTwo(run: Run, { request, nobody, strong, weak }: TwoCallers): Promise<void> {
  const orders = {
    'the one that may in Authorization': [strong, weak],
    'the one that may in the brand header': [weak, strong],
  };
  for (const [what, [standard = '', brand = '']] of Object.entries(orders)) {
    const saw = seen(await request.ask(nobody, inBoth(run, standard, brand)));
    run.observe(`two valid ones, of which one may not: ${what}`, saw);
  }
}

function inBoth(run: Run, standard: string, brand: string): HeaderInput {
  const carriers = carriersOf(run);
  return { ...carriers.brand.with(brand), ...carriers.standard.with(standard) };
}
