/** The target of recordings without a target file: the addresses that the recorded requests show. */
import { matchOperation } from '../../spec/match-operation.ts';
import { credentialNames } from '../../spec/formats/target-values.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { placeholderName } from '../../suites/target/target.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { RecordedExchange } from './recording/recorded-exchange.ts';

const PASS_TARGET = 'Pass --target FILE, with the addresses of the recorded deployment.';

/** Throws UsageError unless the management operations of exactly one origin are in the exchanges, with one brand. */
export function targetOfTraffic(file: string, exchanges: readonly RecordedExchange[]): TargetFile {
  const addresses = addressesIn(file, exchanges, PASS_TARGET);
  const brands = brandsIn(exchanges);
  if (brands.length > 1)
    throw new UsageError(
      `${file}: its header names have several brands (${brands.join(', ')}). Pass --target FILE with the brand of the recorded deployment.`,
    );
  return { addresses, ...(brands[0] !== undefined && { brand: brands[0] }), ...defaultCredentials };
}

/** Throws UsageError, which ends with `remedy`, unless the management operations of exactly one origin are in the exchanges. */
export function addressesIn(
  file: string,
  exchanges: readonly RecordedExchange[],
  remedy: string,
): TargetFile['addresses'] {
  const urls = exchanges.flatMap(({ method, url }) => {
    const parsed = URL.parse(url);
    return parsed === null ? [] : [{ method, origin: parsed.origin, path: parsed.pathname, host: parsed.hostname }];
  });
  const managements = new Set(
    urls.flatMap(({ method, origin, path }) => {
      const base = managementBase(method, path);
      return base === undefined ? [] : [origin + base];
    }),
  );
  const [management, ...others] = managements;
  if (management === undefined || others.length > 0)
    throw new UsageError(`${file}: ${describeManagements([...managements])}, so its addresses are unknown. ${remedy}`);
  const host = management.slice(0, management.lastIndexOf('/'));
  const below = urls.filter(({ origin, path }) => (origin + path).startsWith(`${host}/`));
  const isInference = below.some(
    ({ method, origin, path }) => matchOperation('inference', method, (origin + path).slice(host.length)) !== undefined,
  );
  const sandboxes = new Set(urls.filter((each) => each.host.startsWith('sbx-')).map(({ origin }) => origin));
  const [sandbox] = sandboxes.size === 1 ? sandboxes : [];
  return { management, host, ...(isInference && { inference: host }), ...(sandbox && { sandbox }) };
}

/** Where the requests go instead, if none goes to an origin of the target. Undefined if one does, or if there are none. */
export function foreignOrigins(
  exchanges: readonly Pick<RecordedExchange, 'url'>[],
  own: ReadonlyMap<string, unknown>,
): string | undefined {
  const origins = [...new Set(exchanges.flatMap(({ url }) => URL.parse(url)?.origin ?? []))];
  if (origins.length === 0 || origins.some((origin) => own.has(origin))) return undefined;
  const more = origins.length - MAX_ORIGINS;
  return origins.slice(0, MAX_ORIGINS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const MAX_ORIGINS = 3;

/** By the variables that name them in recordings of assay. */
export const defaultCredentials: Pick<TargetFile, 'credentials'> = {
  credentials: Object.fromEntries(credentialNames.map((name) => [name, { env: placeholderName(name) }])),
};

/** The part of a path that ends with v0, if a management operation follows. */
export function managementBase(method: string, path: string): string | undefined {
  const [base] = /^(?:\/[^/]+)*?\/v0(?=\/)/.exec(path) ?? [];
  return base !== undefined && matchOperation('management', method, path.slice(base.length)) !== undefined
    ? base
    : undefined;
}

const describeManagements = (found: readonly string[]): string =>
  found.length === 0
    ? 'no request matches an operation of the management API below a path that ends with /v0'
    : `requests match the management API at ${found.length} addresses (${found.slice(0, 3).join(', ')})`;

/** The words in the header names of the API, in the spelling of the first one. */
function brandsIn(exchanges: readonly RecordedExchange[]): string[] {
  const found = new Map<string, string>();
  for (const [name, value] of exchanges.flatMap(({ requestHeaders }) => requestHeaders)) {
    const word = brandIn(name, value);
    if (word !== undefined && !found.has(word.toLowerCase())) found.set(word.toLowerCase(), word);
  }
  return [...found.values()];
}

function brandIn(name: string, value: string): string | undefined {
  const [, word] = /^x-([a-z][a-z0-9]*)-(?:authorization|workspace|thread-id)$/i.exec(name) ?? [];
  // Versions of the API are dates.
  return word ?? (/^\d{4}-\d\d-\d\d$/.test(value) ? /^([a-z][a-z0-9]*)-version$/i.exec(name)?.[1] : undefined);
}
