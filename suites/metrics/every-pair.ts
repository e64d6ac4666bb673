/**
 * Every pair of two lists, which is also the smallest pairwise covering array; for three lists see `kit/every-pair-of-three.ts`.
 * Neighbours differ in both parts, and each part occurs early.
 */
export const everyPair = <One, Other>(ones: readonly One[], others: readonly Other[]): [One, Other][] =>
  others.flatMap((_, shift) => ones.map((one, at): [One, Other] => [one, others[(at + shift) % others.length]!]));
