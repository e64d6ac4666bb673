/** The formats of secrets, where a file can contain them, and what may be printed of such places. */
export interface SecretForm {
  readonly pattern: RegExp;
  /** Completes "… is not …". */
  readonly expected: string;
}

/** A token or a key. */
export const headerCredential: SecretForm = {
  pattern: /^[\x21-\x7e]+$/,
  expected: 'visible ASCII characters without spaces',
};

/** The id or secret of an OAuth client, which is always sent encoded (RFC 6749 2.3.1). */
export const clientCredential: SecretForm = { pattern: /^\P{Cc}+$/u, expected: 'a string without control characters' };

/** Whether a misplaced secret can be anywhere below this path of a target file, so that no value there is printed. */
export const mayHoldSecret = (at: string): boolean =>
  /^(?:credentials|client|tls|samples(?!\.(?:vpcSpec|functionSpec|agentSpec|variables|triggerPath|authenticationType|tasks|mountPath|callbackUrl|schedule)\b)|resources\.previewTokens)(?![A-Za-z])/.test(
    at,
  );

/** Whether a key is certainly not a secret. A string alone in braces is a YAML key without a value. */
export const isPlainKey = (key: string, value: unknown): boolean =>
  value !== null && /^[A-Za-z]{1,20}(?::[A-Za-z]{1,20})?$/.test(key);

/** Words in capitals joined by underscores. Anything else may be a secret that was put in place of a variable's name. */
const VARIABLE_NAME = /^[A-Z][A-Z0-9]{0,19}(?:_{1,2}[A-Z0-9]{1,20}){1,7}$/;

/** Names the environment variable, unless the name may itself be a secret. */
export const describeVariable = (name: string): string =>
  VARIABLE_NAME.test(name)
    ? `the environment variable ${name}`
    : 'the environment variable that env names (not printed because it may be the secret itself)';

const SCHEME = '[a-z][a-z\\d+.-]*://';
/** Up to the last @, because an unencoded password may contain any character. After a / only if a colon or an @ precedes it. */
const USER_INFO = new RegExp(`^(${SCHEME}|(?!${SCHEME}))(?=[^/]*[:@]).*@`, 'is');

/** A URL with `…` in place of user info, query and fragment. Also handles slightly malformed URLs. */
export const redactAddress = (address: string): string =>
  address.replace(USER_INFO, '$1…@').replace(/([?#]).*$/s, '$1…');

/** A string unchanged, unless it is a URL: then without its secrets. */
export const redactUrl = (text: string): string => (text.includes('://') ? redactAddress(text) : text);

/** Removes the secrets from every URL in a text. Punctuation after a URL is not part of it. */
export const redactAddresses = (text: string): string =>
  text.replace(new RegExp(`${SCHEME}[^\\s"]+?(?=[.,:;')]*(?:[\\s"]|$))`, 'gi'), redactAddress);
