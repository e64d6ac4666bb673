/** Probes a deployment with few GET requests, and describes it as a target file. */
import { isMissingStatus } from '../../spec/missing-operation.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { counted } from '../../spec/counted.ts';
import type { Need } from '../../spec/requirements/requirement.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import type { CredentialSource, TargetFile } from '../../spec/formats/target-file.ts';
import { strongestCaller } from '../../suites/engine/callers.ts';
import { placeOf, strongestAccountCredential, type AccessWarning } from '../../suites/target/account.ts';
import { describeTarget } from '../../suites/target/open-target.ts';
import type { Environment } from '../../suites/target/environment.ts';
import { redactionOf } from '../../suites/target/redaction.ts';
import { placeholderName } from '../../suites/target/target.ts';
import type { Target } from '../../suites/target/target.ts';
import { findRefusedCredentials, requireAcceptedCredential } from '../../suites/target/refused-credentials.ts';
import { createTransport } from '../../suites/target/transport.ts';
import { requireCorrectAddress } from '../../suites/target/wrong-address.ts';
import { findAccount } from '../command-line/find-account.ts';
import { explainNetworkError } from '../command-line/network-error.ts';
import { brandIn, checkBrand } from '../doctor/brand.ts';
import { isKeyOfAdmin } from '../doctor/credentials.ts';
import { createProber, hasResponse } from '../doctor/prober.ts';
import type { ProbeResponse, Prober } from '../doctor/prober.ts';
import { chooseResources } from './choose-resources.ts';
import type { Choice } from './choose-resources.ts';
import { listResources, type Inventory } from './list-resources.ts';
import { isPlainName } from './plain-text.ts';
import { renderTarget } from './render-target.ts';

/** Gentle: a production deployment may be probed. */
const LIMITS = {
  rate: 20,
  concurrency: 4,
  timeoutSeconds: 10,
  deadlineSeconds: 30,
  maxRetryAfterSeconds: 5,
  maxBody: 8 * 2 ** 20,
};

/** Nothing responds at the address; the message says why and what to do. */
export class UnreachableDeployment extends Error {}

export interface Probe {
  /** The text of the target file. */
  readonly yaml: string;
  /** As far as it is known. */
  readonly account?: string;
  readonly choice: Choice;
  /** What was refused or suspicious, one sentence each, without secrets. */
  readonly remarks: readonly string[];
}

/**
 * `file`: the address and what the environment provides. Throws UnreachableDeployment, and InvalidInput for an invalid variable,
 * if there is no credential, if every one is refused, and if the address is wrong.
 */
export async function probeDeployment(file: TargetFile, environment: Environment): Promise<Probe> {
  const found = withFurtherCredentials(file, environment);
  const target = await describeTarget(found, environment);
  const redaction = redactionOf(target);
  const isSecret = (text: string): boolean => redaction.text(text) !== text;
  const transport = createTransport(LIMITS);
  try {
    const prober = createProber(target, transport);
    const accounts = await requestAccounts(target, prober);
    const { account, warnings: ofAccount } = await findAccount(target, transport);
    await requireCorrectAddress(target, ofAccount, transport);
    requireCredential(target);
    const complete = account === undefined ? target : { ...target, account };
    const warnings = await findRefusedCredentials(complete, ofAccount, transport);
    await requireAcceptedCredential(complete, warnings, transport);
    const inventory = await listResources(target, prober, isSecret);
    requireAvailable(target, [accounts.status, ...inventory.statuses]);
    requireReadable(complete, inventory, warnings);
    const brand = await findBrand(target, prober, accounts);
    const isAdmin = await isKeyOfAdmin(complete, prober);
    const choice = chooseResources(inventory, target.workspace);
    const writtenAccount = account !== undefined && isPlainName(account) && !isSecret(account) ? account : file.account;
    return {
      yaml: renderTarget(isAdmin ? withAdmin(found) : found, choice, {
        account: writtenAccount,
        brand: brand.suggestion !== undefined && !isSecret(brand.suggestion) ? brand.suggestion : undefined,
        window: target.metrics.window,
      }),
      ...(account !== undefined && { account }),
      choice,
      remarks: [
        ...warnings.map(({ sentence }) => sentence),
        ...brand.remarks,
        ...(account === undefined ? remarksOnNothing(target, accounts, inventory) : []),
        ...remarksOn(inventory),
      ].map((remark) => redaction.text(remark)),
    };
  } finally {
    await transport.close();
  }
}

/** Without one, no rule can be tried. */
function requireCredential({ client, credentials: { expired: _, scoped, ...named } }: Target): void {
  if (client !== undefined || Object.keys({ ...named, ...scoped }).length > 0) return;
  throw new InvalidInput(
    'There is no credential. Set the variable SVC_ADMIN_TOKEN or SVC_API_KEY to one of the deployment, and run init again.',
  );
}

/** The scopes that rules need a credential for. */
const scopes = [...new Set<Need>(requirements.flatMap(({ needs }) => needs))]
  .filter((need) => need.startsWith('scope:'))
  .map((need) => need.slice('scope:'.length));

/** Credentials with a single scope, and an OAuth client, from the variables that the documentation suggests. */
function withFurtherCredentials(file: TargetFile, environment: Environment): TargetFile {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  const scoped = scopes
    .map((scope) => [scope, { env: placeholderName(scope) }] as const)
    .filter(([, { env }]) => isSet(env)) as [string, CredentialSource][];
  const [id, secret] = ['SVC_CLIENT_ID', 'SVC_CLIENT_SECRET'];
  return {
    ...file,
    credentials: { ...file.credentials, ...(scoped.length > 0 && { scoped: Object.fromEntries(scoped) }) },
    ...(isSet(id) && isSet(secret) && { client: { id: { env: id }, secret: { env: secret } } }),
  };
}

const withAdmin = (file: TargetFile): TargetFile => ({
  ...file,
  credentials: { ...file.credentials, admin: { env: placeholderName('apiKey') } },
});

async function requestAccounts(target: Target, prober: Prober): Promise<ProbeResponse> {
  const response = await prober.call('listAccounts', strongestCaller(target));
  if (hasResponse(response)) return response;
  const { what, advice } = explainNetworkError(response.error);
  throw new UnreachableDeployment(`${target.addresses.management} does not respond: ${what}. ${advice}`);
}

const gatewayErrors: readonly number[] = [502, 503, 504];

/** A proxy in front of a deployment that is down responds to everything. */
function requireAvailable({ addresses }: Target, statuses: Inventory['statuses']): void {
  if (!statuses.every((status) => status === undefined || gatewayErrors.includes(status))) return;
  const found = [...new Set(statuses.map((status) => status ?? 'nothing'))].join(', ');
  throw new UnreachableDeployment(
    `${addresses.management} responds with ${found} to every request. Check that the deployment is running.`,
  );
}

/**
 * Throws InvalidInput if the strongest credential gets 401 and reads nothing: it is probably wrong. If it only gets 403, it may
 * be a limited one. `warnings`: of findRefusedCredentials.
 */
function requireReadable(target: Target, { hasLists, statuses }: Inventory, warnings: readonly AccessWarning[]): void {
  const name = strongestAccountCredential(target);
  const secret = name && target.credentials[name];
  const isRefused = warnings.some(({ refusedCredential }) => refusedCredential === name);
  if (secret === undefined || hasLists || !(isRefused || (target.account === undefined && statuses.includes(401))))
    return;
  throw new InvalidInput(
    `Nothing could be read with ${placeOf(secret, `credentials.${name}`)}: the deployment returned 401. No file was written. Replace its value, or unset the variable to use another credential.${target.account === undefined ? ' If it is valid but limited, set SVC_ACCOUNT to the account.' : ''}`,
  );
}

interface BrandFinding {
  /** From response headers. */
  readonly suggestion?: string;
  readonly remarks: readonly string[];
}

/** Sends one GET request, if `accounts`, the response of GET /accounts, shows that the credential is accepted. */
async function findBrand(target: Target, prober: Prober, accounts: ProbeResponse): Promise<BrandFinding> {
  const name = strongestAccountCredential(target);
  const secret = name && target.credentials[name];
  const check =
    secret === undefined || accounts.status !== 200
      ? undefined
      : await checkBrand(target, prober, 'listAccounts', secret);
  const suggestion = brandIn(accounts);
  return {
    ...(suggestion !== undefined && { suggestion }),
    remarks: check?.outcome === 'warning' ? [`${check.found}. ${check.advice}`] : [],
  };
}

/** On a target without an account. `accounts`: the response of GET /accounts. */
function remarksOnNothing(target: Target, accounts: ProbeResponse, { hasLists }: Inventory): string[] {
  const name = strongestAccountCredential(target);
  const secret = name && target.credentials[name];
  if (secret === undefined || hasLists || accounts.status === 200 || isMissingStatus(accounts.status)) return [];
  const advice =
    accounts.status < 500
      ? 'check first that it is a valid credential of this deployment'
      : 'check first why the deployment fails';
  return [
    `Nothing could be read with ${placeOf(secret, `credentials.${name}`)} (GET /accounts returned ${accounts.status}): ${advice}.`,
  ];
}

function remarksOn({ refusals, skippedCount }: Inventory): string[] {
  return [
    ...(refusals.length === 0 ? [] : [`Some resources could not be listed; add them by hand: ${refusals.join('; ')}.`]),
    ...(skippedCount === 0
      ? []
      : [`Skipped ${counted(skippedCount, 'resource')} with a name that is not plain ASCII.`]),
  ];
}
