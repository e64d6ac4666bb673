/** The steps of a request to the mock identity provider, which is loaded on its first request. */
import compose from 'koa-compose';
import type { Context } from './context.ts';
import { asProblem } from '../http/problems.ts';
import { faults } from './steps/faults.ts';
import { journal } from './steps/journal.ts';
import { IDENTITY_PROVIDER_PATH } from '../domains/oauth/identity-provider.ts';
import { oauthError } from '../domains/oauth/oauth-error.ts';

export function isForIdentityProvider({ path }: Pick<Context, 'path'>): boolean {
  return path.startsWith(`${IDENTITY_PROVIDER_PATH}/`);
}

const steps = compose<Context>([journal, faults, respond]);

/** Needs `ctx.state.world`, sets `ctx.state.reply`. Throws only errors of the socket. */
export async function identityProviderApp(ctx: Context): Promise<void> {
  try {
    await steps(ctx);
  } catch (error) {
    ctx.state.reply = oauthError(asProblem(error));
  }
}

async function respond(ctx: Context): Promise<void> {
  const { handleProviderRequest } = await import('./serve-identity-provider.ts');
  ctx.state.reply = await handleProviderRequest(ctx, ctx.path.slice(IDENTITY_PROVIDER_PATH.length));
}
