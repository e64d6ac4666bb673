/** Which texts can be secrets, where they stand, and how much of what stands there may be told. */
export interface SecretForm {
  readonly pattern: RegExp;
  /** As in "Wanted: …". */
  readonly wanted: string;
}

/** A token or a key. */
export const headerText: SecretForm = { pattern: /^[\x21-\x7e]+$/, wanted: 'visible ASCII without spaces' };

/** The id or the secret of a client, which are encoded wherever they are sent (RFC 6749 2.3.1). */
export const clientText: SecretForm = { pattern: /^\P{Cc}+$/u, wanted: 'characters that are no control characters' };

/** Places of a target file below which a slip of the pen puts a secret anywhere, so that no value there may be told. */
export const isSecretPlace = (at: string): boolean =>
  /^(?:credentials|client|resources\.previewTokens)(?![A-Za-z])/.test(at);

/** A key that a person gives a field; a text in braces alone is a key without a value. */
export const isPlainKey = (key: string, value: unknown): boolean =>
  value !== null && /^[A-Za-z]{1,20}(?::[A-Za-z]{1,20})?$/.test(key);

/** Words in capitals, joined by underscores, as variables are named; what else stands for one may be the secret itself. */
const VARIABLE_NAME = /^[A-Z][A-Z0-9]{0,19}(?:_{1,2}[A-Z0-9]{1,20}){1,7}$/;

/** The environment variable, by its name where that is plainly none of a secret. */
export const namedVariable = (name: string): string =>
  VARIABLE_NAME.test(name)
    ? `the environment variable ${name}`
    : 'the environment variable that env names (not told here: it may be the secret itself)';

const SCHEME = '[a-z][a-z\\d+.-]*://';
/** Up to the last @: a password that was not encoded may hold any sign. Behind a / only where a colon or an @ stands before it. */
const USER_INFO = new RegExp(`^(${SCHEME}|(?!${SCHEME}))(?=[^/]*[:@]).*@`, 'is');

/** An address as it was written, with `…` where user info and query were; also of what is an address but for a slip. */
export const withoutSecrets = (address: string): string =>
  address.replace(USER_INFO, '$1…@').replace(/([?#]).*$/s, '$1…');

/** A text as it was written, unless it is an address: that without secrets. */
export const shown = (text: string): string => (text.includes('://') ? withoutSecrets(text) : text);

/** A text in which every address is without secrets; signs at its end are the text's. */
export const withCleanAddresses = (text: string): string =>
  text.replace(new RegExp(`${SCHEME}[^\\s"]+?(?=[.,:;')]*(?:[\\s"]|$))`, 'gi'), withoutSecrets);
