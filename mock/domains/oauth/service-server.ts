/** The service's own authorization server. */
import { documentOf } from '../../../spec/documents.ts';
import type { Scope } from '../../../spec/operations.ts';
import { homeOf, type Caller } from '../../state/accounts.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { AuthorizationServer, Person } from './authorization-server.ts';
import type { Grant } from '../../state/oauth.ts';
import { invalidGrant } from './oauth-problems.ts';
import { forgetRevoked, signToken } from './tokens.ts';

/** `issuer`: the address of the world for the client of the request. */
export function serviceServer(world: WorldState, issuer: string = world.addresses.host): AuthorizationServer {
  const { clock, random, oauth, clients, openRegistration, onlyDocumented, choices, limits } = world;
  const at = (path: string) => `${issuer}/oauth/${path}`;
  return {
    name: 'the service',
    issuer,
    endpoints: {
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      revocation_endpoint: at('revoke'),
      jwks_uri: at('jwks'),
      ...(openRegistration && { registration_endpoint: at('register') }),
    },
    clock,
    random,
    state: oauth,
    limits,
    clients,
    get people() {
      return peopleOf(world);
    },
    // The documented authorization endpoint has no POST.
    formMethod: onlyDocumented ? 'get' : 'post',
    grantTypes: ['authorization_code', 'client_credentials', 'refresh_token'],
    scopes: scopesOfInterface(),
    isOffline: () => choices.tokens.refresh !== 'none',
    rotates: choices.tokens.refresh === 'rotated',
    accessTokenSeconds: choices.tokens.lifetimeSeconds,
    mintAccessToken: (grant, scopes) => mint(world, issuer, grant, scopes),
    onRevoked: (id) => forgetRevoked(world, id),
  };
}

/** Callers with a workspace, users before service accounts. */
function peopleOf({ callers }: WorldState): Person[] {
  const all = [...callers.values()].filter((caller) => homeOf(caller) !== undefined);
  const [users, others] = [all.filter(({ kind }) => kind === 'user'), all.filter(({ kind }) => kind !== 'user')];
  return [...users, ...others].map((caller) => ({ id: caller.id, description: description(caller) }));
}

function description({ kind, account, accountRole, workspaces }: Caller): string {
  const roles = workspaces.map(({ name, role }) => `${role} of ${name}`);
  return [kind.replace('-', ' '), `${accountRole} of ${account}`, ...roles].join(', ');
}

function scopesOfInterface(): Readonly<Record<string, string>> {
  return documentOf('management').components.securitySchemes['oauth']?.flows?.['authorizationCode']?.scopes ?? {};
}

/** Throws invalid_grant if the subject no longer has a workspace. */
function mint(world: WorldState, issuer: string, { id, client, subject }: Grant, scopes: readonly string[]): string {
  const caller = world.callers.get(subject);
  const own = world.clients.get(client);
  const workspace = (own?.caller === subject ? own.workspace : undefined) ?? (caller && homeOf(caller));
  if (workspace === undefined) throw invalidGrant('The subject has no workspace.');
  const names = scopes as readonly Scope[];
  return signToken(world, {
    caller: subject,
    scopes: names,
    workspace,
    lifetimeSeconds: world.choices.tokens.lifetimeSeconds,
    client,
    grant: id,
    issuer,
  });
}
