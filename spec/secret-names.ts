/** Names whose values are secret: of JSON members, form fields and URL parameters. */

/** Tokens that are positions or progress, not credentials. */
const notSecret = '(?:next|page|cursor|sync|continuation|progress)[_-]?';

/** A regular expression source, to be used case-insensitively. */
export const secretName = `(?:[^"\\\\]*(?:secret|password|passphrase|(?<!${notSecret})token|(?:api|access|private|signing)[_-]?key)|(?:client_)?assertion|code_verifier)`;

const whole = new RegExp(`^${secretName}$`, 'i');

export const isSecretName = (name: string): boolean => whole.test(name);

/** For forms and URLs, where `code` is the OAuth authorization code; in JSON, `code` is an error code. */
export const isSecretField = (name: string): boolean => name === 'code' || isSecretName(name);

/** For the names of environment variables. */
export const isSecretVariable = (name: string): boolean => isSecretName(name) || /_key$/i.test(name);

/** How to redact a member: everything in it (`secret`), everything but objects (`variables`), or by name (`plain`). */
export type SecretPlace = 'plain' | 'variables' | 'secret';

export function placeOf(member: string): SecretPlace {
  if (isSecretName(member)) return 'secret';
  return member === 'envs' ? 'variables' : 'plain';
}
