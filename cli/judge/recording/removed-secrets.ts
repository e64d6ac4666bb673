/** What writers and people put in the place of secrets. */

const redacted = '(?:redacted|REDACTED)';
const placeholder = String.raw`(?:SECRET(?:[-_]?\d+)?|\*{3,}|[[<]?${redacted}[\]>]?|\$[A-Z][A-Z0-9_]*)`;

const alone = new RegExp(String.raw`(?:^|["'=:\s])${placeholder}(?=$|["'&,;\s])`);
/** Assay also writes it within a longer text. In a URL it may be percent-encoded. */
const within = new RegExp(String.raw`(?:\(|%28)${redacted}(?:\)|%29)|%5B${redacted}%5D`);

/** Whether a secret was removed from a header value, a URL or a body. */
export const lacksSecret = (text: string): boolean => alone.test(text) || within.test(text);

/** The variable in `Bearer $SVC_ADMIN_TOKEN`, which assay writes. Undefined with another scheme, in which it is no valid credential. */
export const variableIn = (value: string): string | undefined => /^Bearer \$([A-Z][A-Z0-9_]*)$/.exec(value)?.[1];
