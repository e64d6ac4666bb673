/** The keys that a target publishes for its tokens (RFC 8414 section 2: jwks_uri), read from its own addresses only. */
import { surfaces } from '../../../spec/openapi-document.ts';
import { HarnessError } from '../../target/transport.ts';
import type { Run } from '../../engine/conforms.ts';
import { fieldsOf } from '../../json/fields.ts';
import { formatValue } from '../../expect/format-value.ts';
import type { PublishedKey } from '../../generators/forged-jwt.ts';
import { sharedValues } from '../../engine/shared-values.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { placeOf } from './token-requests.ts';

interface PublishedKeys {
  readonly keys: readonly PublishedKey[];
  /** What the target lacks if there are none. */
  readonly missing: string;
}

const keysOfIssuers = sharedValues<PublishedKeys>();

/** Of the issuer that a token names, or of the host. Empty if none are published at the target's own addresses. */
export const publishedKeys = async (run: Run, issuer: unknown): Promise<readonly PublishedKey[]> =>
  (await findKeys(run, issuer)).keys;

/** What the target lacks, and what to do about it. Undefined if it publishes keys. */
export async function missingKeys(run: Run, issuer: unknown): Promise<string | undefined> {
  const { keys, missing } = await findKeys(run, issuer);
  return keys.length === 0 ? missing : undefined;
}

const findKeys = (run: Run, issuer: unknown): Promise<PublishedKeys> =>
  keysOfIssuers.get(run, String(issuer), async () => {
    const { host } = run.target.addresses;
    const issuers = [...new Set([issuer, host].filter((each) => isOwn(run, each)))];
    for (const metadataUrl of issuers.flatMap(metadataUrls)) {
      const { jwks_uri: keysUrl } = await readObject(run, metadataUrl);
      if (typeof keysUrl !== 'string') continue;
      const missing = isOwn(run, keysUrl) ? `public keys at ${shortened(keysUrl)}` : notRead(keysUrl);
      return { keys: await readKeys(run, keysUrl), missing };
    }
    const [first] = issuers;
    const keys = first === undefined ? [] : await readKeys(run, `${first}/.well-known/jwks.json`);
    return { keys, missing: isForeign(run, issuer) ? notReadFrom(issuer) : noneAt(first) };
  });

const shortened = (url: string): string => formatValue(url, 200);

/** Requests are sent only to addresses of the target. */
const notRead = (url: string): string =>
  `public keys below an address of the target file (those of ${shortened(url)} are not read)`;

const notReadFrom = (issuer: string): string =>
  `${notRead(issuer)}: if this issuer of the JWT belongs to the deployment, set addresses.host to it`;

const noneAt = (url: string | undefined): string =>
  `public keys of the JWT (jwks_uri in the OAuth metadata, or /.well-known/jwks.json, at ${url ?? 'addresses.host'})`;

/** Of another host, such as an identity provider. */
const isForeign = (run: Run, issuer: unknown): issuer is string =>
  typeof issuer === 'string' && /^https?:/i.test(issuer) && !isOwn(run, issuer);

const isOwn = ({ target: { addresses } }: Run, url: unknown): url is string =>
  typeof url === 'string' && surfaces.some((each) => `${url}/`.startsWith(`${addresses[each] ?? '\n'}/`));

/** RFC 8414 section 3.1 puts the well-known part before the issuer's path, OpenID Connect Discovery section 4 after it. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

async function readKeys(run: Run, url: string): Promise<readonly PublishedKey[]> {
  const { keys } = await readObject(run, url);
  return Array.isArray(keys) ? keys.filter((key) => fieldsOf(key) !== undefined) : [];
}

/** Empty if there is none: a target need not publish anything. */
async function readObject(run: Run, url: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const exchange = await undefinedIfNotTried(get(run, url));
    return exchange?.response.status === 200 ? (fieldsOf(exchange.response.json) ?? {}) : {};
  } catch (error) {
    if (error instanceof HarnessError) return {};
    throw error;
  }
}

const get = async (run: Run, url: string) =>
  run.as('none').send({ ...placeOf(run, url), method: 'GET', headers: { Accept: 'application/json' } });
