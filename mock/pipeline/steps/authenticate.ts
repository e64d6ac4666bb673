/** Identifies the caller by an API key or a JWT of this mock; none if the operation's credential is optional. */
import { requireState, type Context, type Step } from '../context.ts';
import { verifyToken } from '../../domains/oauth/tokens.ts';
import { badCredential, missingCredential } from '../../http/problems.ts';
import type { Credential } from '../../state/accounts.ts';
import type { World } from '../../world/world.ts';

export const authenticate: Step = (ctx, next) => {
  const { operation } = requireState(ctx.state.route, 'matchOperation');
  if (!operation.security) return next();
  const { world } = ctx.state;
  const header = sentHeader(ctx);
  // The endpoint decides whether this call needs one (auth.public-agent.open-when-public).
  if (header === undefined && operation.credentialOptional) return next();
  const token = tokenOf(world, header);
  const known = world.credentials.get(token);
  if (known === undefined) return verified(ctx, token, next);
  ctx.state.credential = unexpired(world, known);
  return next();
};

async function verified(ctx: Context, token: string, next: () => Promise<void>): Promise<void> {
  ctx.state.credential = unexpired(ctx.state.world, await verifyToken(ctx.state.world, token));
  await next();
}

function sentHeader({ headers, state }: Context): string | undefined {
  const header = headers.authorization ?? headers[state.world.headers.authorization.toLowerCase()];
  return header === undefined ? undefined : String(header);
}

function tokenOf(world: World, header: string | undefined): string {
  if (header === undefined) throw missingCredential(world.headers.authorization);
  // RFC 9110 11.1: the scheme is case-insensitive.
  const token = /^bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined)
    throw badCredential(
      /^bearer *$/i.test(header) ? 'the token after "Bearer" is empty' : 'it is not of the form "Bearer <token>"',
    );
  return token;
}

function unexpired(world: World, credential: Credential): Credential {
  if (credential.expiresAt !== undefined && credential.expiresAt <= world.clock.now())
    throw badCredential('it has expired');
  return credential;
}
