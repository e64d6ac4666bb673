/** Recognizes texts of exchanges.ndjson that are not whole. */

/** Assay writes only the beginning of a long text, and how long it was. */
export const isTruncated = (text: string): boolean => /… \(\d+ characters in all\)$/.test(text);
