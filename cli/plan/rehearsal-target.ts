/** A mock target reduced to what another target has, so that a run sends the same requests to both. */
import type { RunningMock } from '../../mock/start-mock.ts';
import type { CredentialName } from '../../spec/formats/target-values.ts';
import type { KnownResources } from '../../spec/formats/target-file.ts';
import { isJwt } from '../../suites/target/target.ts';
import type { Secret, Target } from '../../suites/target/target.ts';

/** The mock's caller with the permissions of a credential of that name. */
const rights: Record<CredentialName, object> = {
  admin: {},
  apiKey: {},
  member: { accountRole: 'account-member', workspaceRole: 'workspace-member' },
  workspaceAdmin: { accountRole: 'account-member' },
  unrelated: { accountRole: 'account-member', workspaceRole: 'workspace-member', scopes: ['mcphub:list'] },
  expired: { lifetimeSeconds: 0 },
};

/** Names and kinds are those of the other target, values those of the mock; without an account, which is read. */
export async function rehearsalTarget(wanted: Target, mock: RunningMock): Promise<Target> {
  const { scoped, ...named } = wanted.credentials;
  const { target } = mock;
  return {
    ...wanted,
    addresses: shared({ ...target.addresses }, wanted.addresses),
    ...(wanted.workspace === undefined ? {} : { workspace: target.workspace ?? '' }),
    credentials: {
      ...(await minted(named, (name) => rights[name as CredentialName], mock)),
      scoped: await minted(scoped, (scope) => ({ ...rights.unrelated, scopes: [scope] }), mock),
    },
    ...clientOf(wanted, mock),
    resources: resourcesOf(wanted.resources, target.resources ?? {}),
    metrics: target.metrics ?? wanted.metrics,
    rate: 0,
  };
}

/** What both have, with the values of the first. */
function shared<T extends object>(values: T, kinds: object): T {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key in kinds)) as T;
}

async function minted(
  secrets: Record<string, Secret>,
  rightsOf: (name: string) => object,
  mock: RunningMock,
): Promise<Record<string, Secret>> {
  const own: Record<string, Secret> = {};
  for (const [name, { value, name: variable }] of Object.entries(secrets)) {
    const kind = isJwt(value) ? 'jwt' : 'api-key';
    own[name] = { value: await mint({ kind, ...rightsOf(name) }, mock), name: variable };
  }
  return own;
}

async function mint(body: object, { addresses: { host } }: RunningMock): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${host}/_mock/tokens`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`The mock mints no credential: ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}

function clientOf({ client: wanted }: Target, { target: { client } }: RunningMock): Pick<Target, 'client'> {
  if (wanted === undefined || client === undefined) return {};
  const { id, secret, tokenUrl, authorizationUrl, redirectUri, scopes: own } = client;
  if (!('value' in id) || !('value' in secret)) throw new Error('The target file of the mock has no client secret.');
  return {
    client: {
      ...wanted,
      id: id.value,
      secret: { ...wanted.secret, value: secret.value },
      ...(tokenUrl && { tokenUrl }),
      ...(authorizationUrl && { authorizationUrl }),
      ...(wanted.redirectUri !== undefined && redirectUri && { redirectUri }),
      scopes: wanted.scopes.length === 0 ? [] : (own ?? []),
    },
  };
}

/** As many list elements as the other target has, limited by those of the mock. */
function resourcesOf(wanted: KnownResources, ofMock: KnownResources): KnownResources {
  const own = shared(ofMock, wanted);
  const cut = <T>(list: T[] | undefined, to: unknown[] | undefined): T[] | undefined => list?.slice(0, to?.length);
  return {
    ...own,
    ...(own.previewTokens && { previewTokens: cut(own.previewTokens, wanted.previewTokens) ?? [] }),
    ...(own.templateVersions && { templateVersions: cut(own.templateVersions, wanted.templateVersions) ?? [] }),
  };
}
