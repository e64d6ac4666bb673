/** Handles requests to the mock's identity provider, which is loaded on its first request. */
import type { Context } from './context.ts';
import { asProblem } from '../http/problems.ts';
import { createSideApp } from './side-app.ts';
import type { Reply } from '../http/reply.ts';
import { IDENTITY_PROVIDER_PATH } from '../domains/oauth/identity-provider.ts';
import { oauthError } from '../domains/oauth/oauth-error.ts';

export function isForIdentityProvider({ path }: Pick<Context, 'path'>): boolean {
  return path.startsWith(`${IDENTITY_PROVIDER_PATH}/`);
}

export const identityProviderApp = createSideApp(respond, (error) => oauthError(asProblem(error)));

async function respond(ctx: Context): Promise<Reply> {
  const { handleProviderRequest } = await import('./serve-identity-provider.ts');
  return handleProviderRequest(ctx, ctx.path.slice(IDENTITY_PROVIDER_PATH.length));
}
