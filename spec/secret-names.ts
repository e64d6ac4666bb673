/** Names whose values are secrets, whoever chose them: of members of JSON, fields of a form, parameters of an address. */

/** Tokens that say where a list or a task has come to. */
const notSecret = '(?:next|page|cursor|sync|continuation|progress)[_-]?';

/** A pattern without flags; wants to be read in any letter case. */
export const secretName = `(?:[^"\\\\]*(?:secret|password|passphrase|(?<!${notSecret})token|(?:api|access|private|signing)[_-]?key)|(?:client_)?assertion|code_verifier)`;

const whole = new RegExp(`^${secretName}$`, 'i');

export const isSecretName = (name: string): boolean => whole.test(name);

/** Of forms and addresses, where OAuth has its authorization code; a member of that name says what went wrong. */
export const isSecretField = (name: string): boolean => name === 'code' || isSecretName(name);
