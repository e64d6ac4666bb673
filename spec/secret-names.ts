/** Names whose values are secrets, whoever chose them: of members of JSON, fields of a form, parameters of an address. */

/** Tokens that say where a list or a task has come to. */
const notSecret = '(?:next|page|cursor|sync|continuation|progress)[_-]?';

/** A pattern without flags; wants to be read in any letter case. */
export const secretName = `(?:[^"\\\\]*(?:secret|password|passphrase|(?<!${notSecret})token|(?:api|access|private|signing)[_-]?key)|(?:client_)?assertion|code_verifier)`;

const whole = new RegExp(`^${secretName}$`, 'i');

export const isSecretName = (name: string): boolean => whole.test(name);

/** Of forms and addresses, where OAuth has its authorization code; a member of that name says what went wrong. */
export const isSecretField = (name: string): boolean => name === 'code' || isSecretName(name);

/** Of an environment variable, which has its name and its value beside each other. */
export const isSecretVariable = (name: string): boolean => isSecretName(name) || /_key$/i.test(name);

/** Everything in it is `secret`, or whatever is no object in it, as variables written `NAME=value` are, or what its name says. */
export type SecretPlace = 'plain' | 'variables' | 'secret';

export function placeOf(member: string): SecretPlace {
  if (isSecretName(member)) return 'secret';
  return member === 'envs' ? 'variables' : 'plain';
}
