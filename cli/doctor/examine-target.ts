/** Runs all checks of a target file. Sends only GET and token requests. */
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { CORRECT_ADDRESS, FIRST_OPERATION, strongestAccountCredential } from '../../suites/target/account.ts';
import type { AccessWarning } from '../../suites/target/account.ts';
import { readTarget } from '../../suites/target/open-target.ts';
import type { Environment } from '../../suites/target/environment.ts';
import { redactionOf } from '../../suites/target/redaction.ts';
import type { Target } from '../../suites/target/target.ts';
import { credentialCheckOf } from '../../suites/target/refused-credentials.ts';
import { secureContextOf } from '../../suites/target/tls-settings.ts';
import { fetchToken, TokenError } from '../../suites/target/token.ts';
import { createTransport, HarnessError } from '../../suites/target/transport.ts';
import type { Transport } from '../../suites/target/transport.ts';
import { isAddressWrong, mayBeWrong } from '../../suites/target/wrong-address.ts';
import { checkAddresses } from './addresses.ts';
import { failed, passed, skipped, warning } from './check.ts';
import type { Check } from './check.ts';
import { checkBrand } from './brand.ts';
import { checkCredentials, checkRoles } from './credentials.ts';
import { findAccount } from '../command-line/find-account.ts';
import { explainNetworkError } from '../command-line/network-error.ts';
import { createProber } from './prober.ts';
import type { Prober } from './prober.ts';
import { checkResources } from './resources.ts';
import { checkTiming } from './timing.ts';

const TIMEOUT_SECONDS = 10;
/** For a complete response. */
const DEADLINE_SECONDS = 30;

export interface Examination {
  /** Without secrets. */
  readonly checks: readonly Check[];
  /** Whether the management address responds. If not, or if nothing of the API does, nothing else was checked. */
  readonly isReachable: boolean;
}

/** Throws InvalidInput if a variable of the file is not set. */
export async function examineTarget(file: TargetFile, environment: Environment): Promise<Examination> {
  const transport = createTransport({
    rate: file.rate ?? 0,
    timeoutSeconds: TIMEOUT_SECONDS,
    deadlineSeconds: DEADLINE_SECONDS,
    maxRetryAfterSeconds: 5,
    secureContext: secureContextOf(file.tls),
  });
  try {
    const tokens = await fetchTokens(file, environment, transport);
    const { checks, isReachable } = await examine(tokens, transport);
    return { checks: redact(checks, tokens.target), isReachable };
  } finally {
    await transport.close();
  }
}

interface TokenFetch {
  /** Without the credentials for which no token could be fetched. */
  readonly target: Target;
  /** Of these credentials. */
  readonly tokenChecks: readonly Check[];
}

async function fetchTokens(file: TargetFile, environment: Environment, transport: Transport): Promise<TokenFetch> {
  const tokenChecks: Check[] = [];
  const missing = new Set<string>();
  const target = await readTarget(file, environment, async (client, at) => {
    try {
      return await fetchToken(client, at, transport);
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      missing.add(at);
      tokenChecks.push(describeTokenError(at, client.tokenUrl, error));
      return { value: '' };
    }
  });
  const { scoped, ...named } = target.credentials;
  const keep = <T>(secrets: Readonly<Record<string, T>>, prefix: string): Record<string, T> =>
    Object.fromEntries(Object.entries(secrets).filter(([name]) => !missing.has(prefix + name)));
  const credentials = { ...keep(named, 'credentials.'), scoped: keep(scoped, 'credentials.scoped.') };
  return { target: { ...target, credentials }, tokenChecks };
}

function describeTokenError(subject: string, tokenUrl: string, error: HarnessError): Check {
  if (error instanceof TokenError)
    return failed(
      subject,
      error.message.replace(`${subject}: `, ''),
      'Check the id, the secret, the scope, the parameters and tokenUrl.',
    );
  const { what, advice } = explainNetworkError(error);
  return failed(subject, `${tokenUrl} does not respond: ${what}`, advice);
}

async function examine({ target: opened, tokenChecks }: TokenFetch, transport: Transport): Promise<Examination> {
  const { checks: addresses, isReachable } = await checkAddresses(opened, createProber(opened, transport));
  if (!isReachable) return { checks: [...addresses, ...tokenChecks], isReachable };
  const { account = opened.account, warnings: ofAccount } = await findAccount(opened, transport);
  const isInDoubt = addresses.some(isFailedManagement) || mayBeWrong(ofAccount);
  if (isInDoubt && (await isAddressWrong(opened, transport)))
    return { checks: addresses.map((each) => (isOfManagement(each) ? wrongAddress(each, opened) : each)), isReachable };
  const target = account === undefined ? opened : { ...opened, account };
  const prober = createProber(target, transport);
  const credentials = await checkCredentials(target, prober);
  const accepted = credentials.filter(({ outcome }) => outcome === 'passed').map(({ subject }) => subject);
  const checks = [
    ...addresses,
    ...tokenChecks,
    ...credentials,
    ...(await checkHeader(target, prober, accepted)),
    checkAccount(target, opened, credentials, ofAccount),
    ...(await checkRoles(target, prober, accepted)),
    ...(await checkClient(target, transport)),
    ...(await checkResources(target, prober)),
    ...(await checkTiming(target, prober)),
  ];
  return { checks, isReachable };
}

const isOfManagement = ({ subject }: Check): boolean => subject === 'addresses.management';
const isFailedManagement = (check: Check): boolean => isOfManagement(check) && check.outcome === 'failed';

/** Also if it only requires a credential, with which nothing of the API responds. */
const wrongAddress = (check: Check, { addresses }: Target): Check =>
  check.outcome === 'failed'
    ? check
    : failed(check.subject, `${addresses.management}: GET /accounts returned 404 with a credential`, CORRECT_ADDRESS);

/** `credentials`: the checks of all of them. `ofAccount`: the warnings of findAccount. */
function checkAccount(
  target: Target,
  { account: configured }: Target,
  credentials: readonly Check[],
  ofAccount: readonly AccessWarning[],
): Check {
  const { account } = target;
  const strongest = strongestAccountCredential(target);
  if (account === undefined && strongest === undefined)
    return skipped('account', 'not looked up, because the file has no credential for that');
  const { outcome, found = '' } = credentials.find(({ subject }) => subject === `credentials.${strongest}`) ?? {};
  if (account === undefined && outcome !== 'passed')
    return skipped('account', `not looked up, because ${found.slice(found.indexOf('GET '))}`);
  const { undecided } = ofAccount.find((each) => each.undecided) ?? {};
  if (undecided !== undefined)
    // A file that has the account needs a decision only if the list does not respond: then no run begins.
    return (account === configured ? failed : warning)('account', undecided.found, undecided.advice);
  const { missingStatus } = ofAccount.find((each) => each.missingStatus) ?? {};
  if (missingStatus !== undefined && account !== undefined)
    return warning('account', `${account}, but GET /accounts returned ${missingStatus}`, FIRST_OPERATION);
  if (account === undefined)
    return failed('account', 'GET /accounts shows no account', 'Set account in the target file.');
  return passed('account', configured === undefined ? `${account}, read from GET /accounts` : account);
}

/** With the strongest accepted credential. Empty if there is none. */
async function checkHeader(target: Target, prober: Prober, accepted: readonly string[]): Promise<Check[]> {
  const name = strongestAccountCredential(target);
  const secret = name && target.credentials[name];
  if (secret === undefined || !accepted.includes(`credentials.${name}`)) return [];
  const check = await checkBrand(target, prober, credentialCheckOf(target), secret);
  return check === undefined ? [] : [check];
}

/** The OAuth client of the oauth.* rules. */
async function checkClient({ client }: Target, transport: Transport): Promise<Check[]> {
  if (client?.tokenUrl === undefined) return [];
  const { tokenUrl, scopes } = client;
  const scope = scopes.length === 0 ? {} : { scope: scopes.join(' ') };
  try {
    await fetchToken({ ...client, tokenUrl, ...scope }, 'client', transport);
    return [passed('client', `${tokenUrl} returns a token`)];
  } catch (error) {
    if (error instanceof HarnessError) return [describeTokenError('client', tokenUrl, error)];
    throw error;
  }
}

/** A target may repeat a secret in a name or an address. */
function redact(checks: readonly Check[], target: Target): Check[] {
  const redaction = redactionOf(target);
  return checks.map((check) => redaction.values(check));
}
