/** Which texts can be secrets: what a header carries, and the broader one of OAuth clients. */
export interface SecretForm {
  readonly pattern: RegExp;
  /** As in "Wanted: …". */
  readonly wanted: string;
}

/** A token or a key. */
export const headerText: SecretForm = { pattern: /^[\x21-\x7e]+$/, wanted: 'visible ASCII without spaces' };

/** The id or the secret of a client, which are encoded wherever they are sent (RFC 6749 2.3.1). */
export const clientText: SecretForm = { pattern: /^\P{Cc}+$/u, wanted: 'characters that are no control characters' };
