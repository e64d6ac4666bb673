// @ts-check
/** Where the documentation of the rules is published. */

/** The homepage of the package, at the newest version of its default branch. */
const PAGES = 'https://github.com/svc/assay/blob/HEAD/';

/** The reference of the ruleset. Spectral adds `#` and the id of a rule. */
export const referenceUrl = `${PAGES}spec/ruleset/README.md`;

/**
 * Returns the address of a section of a page.
 * @param {string} page Path in the repository.
 * @param {string} anchor
 */
export const documentationOf = (page, anchor) => `${PAGES}${page}#${anchor}`;
