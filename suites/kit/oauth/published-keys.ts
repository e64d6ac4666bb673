/** The keys that a target publishes for its tokens (RFC 8414 section 2: jwks_uri), read from its own addresses only. */
import { surfaces } from '../../../spec/openapi-document.ts';
import { HarnessError } from '../../target/transport.ts';
import type { Run } from '../../engine/conforms.ts';
import { fieldsOf } from '../../json/fields.ts';
import type { PublishedKey } from '../../generators/forged-jwt.ts';
import { sharedValues } from '../../engine/shared-values.ts';
import { undefinedIfNotTried } from '../provision/undefined-if-not-tried.ts';
import { placeOf } from './token-requests.ts';

const keysOfIssuers = sharedValues<readonly PublishedKey[]>();

/** Of the issuer that a token names, or of the host. Empty if none are published at the target's own addresses. */
export const publishedKeys = (run: Run, issuer: unknown): Promise<readonly PublishedKey[]> =>
  keysOfIssuers.get(run, String(issuer), async () => {
    const issuers = new Set([issuer, run.target.addresses.host].filter((each) => isOwn(run, each)));
    for (const metadataUrl of [...issuers].flatMap(metadataUrls)) {
      const { jwks_uri: keysUrl } = await readObject(run, metadataUrl);
      if (typeof keysUrl === 'string') return readKeys(run, keysUrl);
    }
    const [first] = issuers;
    return first === undefined ? [] : readKeys(run, `${first}/.well-known/jwks.json`);
  });

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
