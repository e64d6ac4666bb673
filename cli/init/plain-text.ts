/** Which texts of a target may be written into a target file: they cannot break out of YAML, and refer to no variable. */

const MAX_LENGTH = 100;
const MAX_URL_LENGTH = 300;

/** A name of letters, digits, and marks that mean nothing in YAML, a shell or a target file. */
export const isPlainName = (text: string): boolean =>
  text.length <= MAX_LENGTH && /^[A-Za-z0-9](?:[\w.@+-]*[A-Za-z0-9])?$/.test(text);

/** An http or https URL without a user name, a query, a fragment and escapes. */
export const isPlainUrl = (text: string): boolean =>
  text.length <= MAX_URL_LENGTH && /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:\/[\w.~/-]*)?$/.test(text) && URL.canParse(text);
