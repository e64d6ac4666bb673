/** Writes a number of things in words. Runs in browsers too. */

/** `2 findings`, `1 finding`, `3 entries` with the plural given. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
