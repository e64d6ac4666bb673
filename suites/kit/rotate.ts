/** Combines two lists without every pair. */

/** Pairs each item with `times` choices, taken round-robin. */
export function rotate<One, Other>(items: readonly One[], choices: readonly Other[], times: number): [One, Other][] {
  return items.flatMap((one, at) =>
    Array.from({ length: times }, (_, nth): [One, Other] => [one, choices[(at * times + nth) % choices.length]!]),
  );
}
