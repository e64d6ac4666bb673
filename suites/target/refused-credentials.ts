/** Finds wrong credentials before a run, with one GET request each: the run would otherwise fail where it uses them. */
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { credentialNames } from '../../spec/formats/target-values.ts';
import { describeRefused, placeOf, strongestAccountCredential } from './account.ts';
import type { Secret, Target } from './target.ts';
import { HarnessError } from './transport.ts';
import type { Transport } from './transport.ts';

/**
 * A sentence for each credential that gets 401, except the strongest one, which `readAccount` checks, and for an expired one
 * that is accepted. Limited credentials may get 403.
 */
export async function describeRefusedCredentials(target: Target, transport: Transport): Promise<string[]> {
  const { scoped, ...named } = target.credentials;
  const strongest = strongestAccountCredential(target);
  const own = credentialNames.filter((name) => name !== strongest).map((name) => [name, named[name]] as const);
  const byScope = Object.entries(scoped).map(([scope, secret]) => [`scoped.${scope}`, secret] as const);
  const sentences = await Promise.all(
    [...own, ...byScope].map(async ([name, secret]) => {
      if (secret === undefined) return undefined;
      const status = await statusWith(secret, target, transport);
      if (name === 'expired') return describeAccepted(secret, status);
      return status === 401 ? describeRefused(name, secret) : undefined;
    }),
  );
  return sentences.filter((each) => each !== undefined);
}

/** Where the user changes the credentials that get 401: variables, or fields of the target file. `sentences`: what was found wrong. */
export const refusedPlaces = (target: Target, sentences: readonly string[]): string[] =>
  validCredentials(target)
    .filter(([name, secret]) => sentences.includes(describeRefused(name, secret)))
    .map(([name, secret]) => placeOf(secret, `credentials.${name}`));

/** Throws InvalidInput if the target has credentials and refuses all of them: every rule that needs one would fail. */
export function requireAcceptedCredential(target: Target, sentences: readonly string[]): void {
  const places = refusedPlaces(target, sentences);
  if (places.length === 0 || places.length < validCredentials(target).length) return;
  throw new InvalidInput(
    `The target refuses every credential: GET /accounts returned 401. Replace the value of ${places.join(', ')}, and check that the management address is that of the deployment that issued them.`,
  );
}

/** All that are supposed to be valid, by key below `credentials`. */
function validCredentials({ credentials: { scoped, expired: _, ...named } }: Target): (readonly [string, Secret])[] {
  const byScope = Object.entries(scoped).map(([scope, secret]) => [`scoped.${scope}`, secret] as const);
  return [...(Object.entries(named) as [string, Secret][]), ...byScope];
}

/** Undefined if there was no response, which says nothing about the credential. */
async function statusWith({ value }: Secret, target: Target, transport: Transport): Promise<number | undefined> {
  const { origin, pathname } = new URL(target.addresses.management ?? '');
  const path = `${pathname === '/' ? '' : pathname}/accounts`;
  const headers = { Accept: 'application/json', Authorization: `Bearer ${value}` };
  try {
    return (await transport.send({ method: 'GET', origin, path, headers })).status;
  } catch (error) {
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}

const describeAccepted = (secret: Secret, status: number | undefined) =>
  status !== undefined && status >= 200 && status < 300
    ? `credentials.expired is accepted: GET /accounts returned ${status}. Set ${placeOf(secret, 'credentials.expired')} to a token whose lifetime is over, or omit the credential.`
    : undefined;
