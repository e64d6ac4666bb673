/** The brand and the header names that contain it. */

/** The brand in the header names of the documents by default. */
export const DEFAULT_BRAND = 'Svc';

/** A brand is part of header names: letters and digits, starting with a letter. */
export const BRAND_FORM = /^[A-Za-z][A-Za-z0-9]*$/;

/** Header names as written in documents. HTTP header names are case-insensitive. */
export interface HeaderNames {
  readonly authorization: string;
  readonly workspace: string;
  readonly threadId: string;
  readonly version: string;
}

/** Returns the four header names with the brand. Throws if the brand is invalid. */
export function headerNames(brand: string = DEFAULT_BRAND): HeaderNames {
  if (!BRAND_FORM.test(brand)) {
    throw new Error(`Brand "${brand}" is not allowed: one word of letters and digits, a letter first.`);
  }
  return {
    authorization: `X-${brand}-Authorization`,
    workspace: `X-${brand}-Workspace`,
    threadId: `X-${brand}-Thread-Id`,
    version: `${brand}-Version`,
  };
}

/** Replaces `{brand}` in a text. */
export function fillBrand(text: string, brand: string = DEFAULT_BRAND): string {
  return text.replaceAll('{brand}', brand);
}
