/** Whether a request is for the mock identity provider, which is loaded when it is first asked. */
import type { Context } from '../context.ts';
import { IDENTITY_PROVIDER_PATH } from './identity-provider.ts';

export function isForIdentityProvider({ path }: Pick<Context, 'path'>): boolean {
  return path.startsWith(`${IDENTITY_PROVIDER_PATH}/`);
}

/** Needs `ctx.state.world`, fills `ctx.state.reply`. Throws nothing that is not a fault of the socket. */
export async function identityProviderApp(ctx: Context): Promise<void> {
  const { serveIdentityProvider } = await import('./serve-identity-provider.ts');
  await serveIdentityProvider(ctx, ctx.path.slice(IDENTITY_PROVIDER_PATH.length));
}
