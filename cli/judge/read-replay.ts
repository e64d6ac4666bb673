/** What `assay mock --replay` replays: the exchanges of a recording that have everything that a response needs. */
import type { ReplayedExchange, ReplayedTraffic } from '../../mock/pipeline/replay.ts';
import { credentialNames } from '../../spec/formats/target-values.ts';
import { matchOperation } from '../../spec/match-operation.ts';
import type { OperationId } from '../../spec/operations.ts';
import { scopes } from '../../spec/values.ts';
import { placeholderName } from '../../suites/target/target.ts';
import { withUsageErrors } from '../command-line/find-target.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { isCredential } from '../proxy/credentials-of.ts';
import { joinedHeaders } from '../proxy/end-to-end.ts';
import { mountsByOrigin, type Addresses, type Mount } from '../proxy/mounts.ts';
import { addressesIn, managementBase } from './find-target.ts';
import { placeOf } from './read-exchange.ts';
import type { RecordedBody, RecordedExchange } from './recording/recorded-exchange.ts';
import { readRecording } from './recording/read-recording.ts';
import { targetBeside } from './recording-target.ts';
import { wholeAddresses } from './traffic-target.ts';

export interface ReadReplay {
  readonly replay: ReplayedTraffic;
  /** How many exchanges are replayed, and how many are not, by reason. */
  readonly sentence: string;
}

/** Throws UsageError if the file is no recording, its addresses are unknown, or none of its exchanges can be replayed. */
export async function readReplay(file: string): Promise<ReadReplay> {
  const recording = await withUsageErrors(() => readRecording(file));
  const addresses = deploymentIn(file, recording.exchanges);
  const mounts = withSandboxes(mountsByOrigin(addresses), recording.exchanges);
  const skipped = new Map(recording.skipped);
  const exchanges = recording.exchanges.flatMap((each) => {
    const found = replayed(each, mounts);
    if (!('skipped' in found)) return [found];
    skipped.set(found.skipped, (skipped.get(found.skipped) ?? 0) + 1);
    return [];
  });
  const sum = [...skipped.values()].reduce((total, count) => total + count, exchanges.length);
  const reasons = [...skipped].map(([reason, count]) => `${count} × ${reason}`).join(', ');
  if (exchanges.length === 0)
    throw new UsageError(
      `--replay ${file}: none of its ${sum} exchanges can be replayed (${reasons}). Expected requests to one deployment of the service, recorded with the bodies of the responses.`,
    );
  return {
    replay: { exchanges, addresses: withoutNamedSandbox(addresses) },
    sentence: `Replaying ${exchanges.length} of ${sum} exchanges of ${file}${reasons && `; skipped: ${reasons}`}.`,
  };
}

/** Those of the report beside the file, or those that its requests show: without a request of the management API, only of the others. */
function deploymentIn(file: string, exchanges: readonly RecordedExchange[]): Addresses {
  const beside = targetBeside(file);
  if (beside !== undefined) return wholeAddresses(beside.addresses);
  const isManaged = exchanges.some(({ method, url }) => managementBase(method, new URL(url).pathname) !== undefined);
  const found = isManaged
    ? wholeAddresses(addressesIn(`--replay ${file}`, exchanges, 'Replay a recording of one deployment.'))
    : {};
  const known = mountsByOrigin(found);
  const others = exchanges.filter(({ url }) => !known.has(new URL(url).origin));
  const inference = found.inference ?? onlyOrigin(others, isInference);
  const sandbox = found.sandbox ?? onlyOrigin(others, (_, path) => /^\/(?:filesystem|watch)\b/.test(path));
  const host = found.host ?? inference;
  return { ...found, ...(host && { host }), ...(inference && { inference }), ...(sandbox && { sandbox }) };
}

const isInference = (method: string, path: string): boolean => matchOperation('inference', method, path) !== undefined;

/** Of the requests of a surface that has an origin of its own. Undefined if several have such requests. */
function onlyOrigin(
  exchanges: readonly RecordedExchange[],
  isOf: (method: string, path: string) => boolean,
): string | undefined {
  const urls = exchanges.map(({ method, url }) => ({ method, url: new URL(url) }));
  const own = urls.filter(({ method, url }) => !SANDBOX_HOST.test(url.origin) && isOf(method, url.pathname));
  const [origin, ...more] = new Set(own.map(({ url }) => url.origin));
  return more.length === 0 ? origin : undefined;
}

const SANDBOX_HOST = /^https?:\/\/sbx-([a-z0-9-]+)\./i;
const SANDBOX_PATH = /^\/sandbox\/([^/]+)\/([^/?]+)/;

/** With all sandboxes that the requests name in the host name, or in the path below the host surface. */
function withSandboxes(
  mounts: ReadonlyMap<string, readonly Mount[]>,
  exchanges: readonly RecordedExchange[],
): ReadonlyMap<string, readonly Mount[]> {
  const all = new Map(mounts);
  for (const { url } of exchanges) {
    const { origin, pathname } = new URL(url);
    const own = all.get(origin) ?? [];
    if (own.length === 0 && SANDBOX_HOST.test(origin)) all.set(origin, [{ surface: 'sandbox', base: '' }]);
    const hosts = own.filter(({ surface, base }) => surface === 'host' && pathname.startsWith(`${base}/`));
    const bases = hosts.flatMap(({ base }) => {
      const [below] = SANDBOX_PATH.exec(pathname.slice(base.length)) ?? [];
      return below === undefined || own.some((each) => each.base === base + below) ? [] : [base + below];
    });
    if (bases.length > 0) all.set(origin, [...own, ...bases.map((base) => ({ surface: 'sandbox', base }) as const)]);
  }
  return all;
}

/** The names of the sandbox and its workspace, joined as in its host name. Undefined if the address has another form. */
function sandboxNames(address: string): string | undefined {
  const [, names] = SANDBOX_HOST.exec(address) ?? [];
  const [, workspace = '', name] = SANDBOX_PATH.exec(/\/sandbox\/[^/]+\/[^/]+$/.exec(address)?.[0] ?? '') ?? [];
  return names ?? (name === undefined ? undefined : `${name}-${workspace}`);
}

/** An address with names stays that of the same sandbox; any other becomes that of the target's sandbox. */
function withoutNamedSandbox({ sandbox, ...others }: Addresses): Addresses {
  return sandbox === undefined || sandboxNames(sandbox) !== undefined ? others : { ...others, sandbox };
}

/** Tokens and keys of the recording would be worthless in the mock, which has its own. */
const OAUTH: readonly OperationId[] = [
  'authorize',
  'decideAuthorization',
  'requestToken',
  'revokeToken',
  'registerClient',
  'getKeySet',
];

function replayed(
  recorded: RecordedExchange,
  mounts: ReadonlyMap<string, readonly Mount[]>,
): ReplayedExchange | { readonly skipped: string } {
  const place = placeOf(recorded, mounts);
  if ('skipped' in place) return place;
  const { operation, path, base } = place.found;
  const { method, status, requestHeaders, requestBody, responseBody, responseHeaders } = recorded;
  const sent = joinedHeaders(requestHeaders.flat());
  if (OAUTH.includes(operation.id)) return { skipped: 'OAuth token or key' };
  if (/^multipart\//i.test(sent['content-type'] ?? '')) return { skipped: 'form with files' };
  if ('unknown' in requestBody) return { skipped: 'unknown request body' };
  if ('unknown' in responseBody) return { skipped: 'unknown response body' };
  const sandbox = operation.surface === 'sandbox' ? sandboxNames(place.origin + base) : undefined;
  const [, workspace] = Object.entries(sent).find(([name]) => /^x-[a-z0-9]+-workspace$/.test(name)) ?? [];
  const caller = callerOf(recorded);
  return {
    method,
    surface: operation.surface,
    path,
    ...(sandbox !== undefined && { sandbox }),
    ...(workspace !== undefined && { workspace }),
    ...(caller !== undefined && { caller }),
    body: bodyOf(requestBody),
    response: {
      status,
      ...(responseHeaders.length > 0 && { headers: headersOf(recorded) }),
      body: bodyOf(responseBody),
    },
  };
}

const bodyOf = (body: Extract<RecordedBody, { text: string }>): string | Uint8Array =>
  body.bytes === true ? Buffer.from(body.text, 'latin1') : body.text;

/** Without values that Node refuses to send. A text is sent in UTF-8. */
function headersOf({ responseHeaders, responseBody }: RecordedExchange): Record<string, string> {
  const { 'content-type': type, ...others } = joinedHeaders(responseHeaders.flat());
  const isText = 'text' in responseBody && responseBody.bytes !== true;
  const sent = isText ? type?.replace(/(;\s*charset=)"?(?!"?utf-8)[^\s;"]+"?/i, '$1utf-8') : type;
  return Object.fromEntries(
    Object.entries({ ...others, ...(sent !== undefined && { 'content-type': sent }) }).filter(
      ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    ),
  );
}

/** Recordings of assay name credentials by variables. */
const credentialOf = new Map([...credentialNames, ...scopes].map((name) => [placeholderName(name), name]));

/** Undefined for a credential that is not known by name, or if it is not known whether there was one. */
function callerOf({ credential, isCallerUnknown, requestHeaders }: RecordedExchange): string | undefined {
  if (credential !== undefined) return credentialOf.get(credential) ?? credential;
  return isCallerUnknown || requestHeaders.some(([name]) => isCredential(name)) ? undefined : 'none';
}
