/** Conditions on the operation and the credential of a request. */
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { findResource, type Resource } from '../../state/resources.ts';
import { all, not, when, type Condition } from '../conditions.ts';
import { isModern } from '../mcp/messages.ts';

export type Carrier = 'standard' | 'brand';

/** In lower case. */
export const headerName = (ctx: Context, carrier: Carrier): string =>
  carrier === 'standard' ? 'authorization' : ctx.state.world.headers.authorization.toLowerCase();

/** The whole value of the header; undefined if it is absent. */
export function headerValue(ctx: Context, carrier: Carrier): string | undefined {
  const value = ctx.headers[headerName(ctx, carrier)];
  return value === undefined ? undefined : String(value);
}

/** The bearer token, from Authorization before the brand header. */
export function tokenOf(ctx: Context): string | undefined {
  const header = headerValue(ctx, 'standard') ?? headerValue(ctx, 'brand');
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

const credentialOf = (ctx: Context) => ctx.state.world.credentials.get(tokenOf(ctx) ?? '');

export const inHeader = (carrier: Carrier): Condition =>
  when(
    carrier === 'standard' ? 'by Authorization' : 'by brand header',
    (ctx) => headerValue(ctx, carrier) !== undefined,
  );

export const anonymous = all(not(inHeader('standard')), not(inHeader('brand')));

/** A token that is neither an API key nor a JWT of this world, although it may look like one. */
export const unknownToken = when(
  'with an unknown token',
  (ctx) => tokenOf(ctx) !== undefined && !ctx.state.world.credentials.has(tokenOf(ctx)!),
);
export const refreshToken = when('with a refresh token', (ctx) =>
  ctx.state.world.oauth.refreshTokens.has(tokenOf(ctx) ?? ''),
);
/** A token of this world that has expired. */
export const expiredToken = when('with an expired token', (ctx) => {
  const { expiresAt = Infinity } = credentialOf(ctx) ?? {};
  return expiresAt <= ctx.state.world.clock.now();
});
export const byApiKey = when('from API keys', (ctx) => credentialOf(ctx)?.kind === 'api-key');
export const byJwt = when('with JWTs', (ctx) => credentialOf(ctx)?.kind === 'jwt');
export const hasScope = (scope: string): Condition =>
  when(`with scope ${scope}`, (ctx) => credentialOf(ctx)?.scopes.some((each) => each === scope) ?? false);
export const sends = (parameter: string): Condition =>
  when(`with ${parameter}`, ({ querystring }) => new URLSearchParams(querystring).has(parameter));

export const namesVersion = when('with a version', (ctx) => ctx.get(ctx.state.world.headers.version) !== '');

export const ofModernMcp = when('in version 2026-07-28', isModern);

/** The status that the mock would return. Holds only after the mock has responded. */
export const statusIs = (...statuses: readonly number[]): Condition =>
  when(`with status ${statuses.join(', ')}`, ({ state }) => statuses.includes(state.reply?.status ?? 0));

/** The agent of the path and its collection. Undefined if there is none. */
export function agentOf(ctx: Context): { readonly key: string; readonly agent: Resource } | undefined {
  const { agent: request, agentName = request } = routeOf(ctx)?.params ?? {};
  const { world } = ctx.state;
  // Every world of these deviations has its agents in one workspace.
  const key = `${world.target.workspace}/agents`;
  const agent = agentName === undefined ? undefined : findResource(world, key, agentName);
  return agent && { key, agent };
}

/** The request names an agent of generation mk3. */
export const ofMk3Agent = when('an mk3 agent', (ctx) => {
  const { generation } = (agentOf(ctx)?.agent.spec['runtime'] ?? {}) as { generation?: unknown };
  return generation === 'mk3';
});
