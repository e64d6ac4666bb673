/** The limits of parsed data: without them, a small file can take any amount of time and memory. */

/** The text is valid, but is not read. The message is a sentence. */
export class TooComplex extends Error {}

/** Levels of arrays and objects. */
export const MAX_DEPTH = 500;
/** Arrays, objects and other values, if its aliases are expanded. */
export const MAX_VALUES = 1_000_000;

export const depthError = (): TooComplex => new TooComplex(`It is nested too deeply: more than ${MAX_DEPTH} levels.`);
export const aliasError = (): TooComplex =>
  new TooComplex(`It has more than ${MAX_VALUES} values, if its aliases are expanded.`);
