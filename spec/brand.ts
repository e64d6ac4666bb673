/** The word in the header names, and the header names made from it. */

/** The word that stands in the documents' header names unless a user chooses another. */
export const DEFAULT_BRAND = 'Svc';

/** A brand becomes part of header names, so it is one word of letters and digits, a letter first. */
export const BRAND_FORM = /^[A-Za-z][A-Za-z0-9]*$/;

/** Header names as they are written; HTTP takes them in any letter case. */
export interface HeaderNames {
  readonly authorization: string;
  readonly workspace: string;
  readonly threadId: string;
  readonly version: string;
}

/** The four header names that carry the brand. Throws when the brand cannot be part of a header name. */
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

/** Puts the brand where a text of the OpenAPI sources says `{brand}`. */
export function fillBrand(text: string, brand: string = DEFAULT_BRAND): string {
  return text.replaceAll('{brand}', brand);
}
