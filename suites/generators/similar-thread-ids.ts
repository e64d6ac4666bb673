/** Thread ids that a careless server takes for one: prefixes of one another, other letter case, same words, same ends, same parts. */

/** Distinct, of characters that any header value may hold; `seed` is a text of at least one lower-case letter that no other family has. */
export function similarThreadIds(seed: string): readonly string[] {
  const long = `${seed}-${'conversation-'.repeat(5)}`;
  return [
    seed,
    `${seed}-1`,
    `${seed}-10`,
    seed.toUpperCase(),
    `red-green-${seed}`,
    `green-red-${seed}`,
    `red.green.${seed}`,
    `${seed}:1`,
    `1/${seed}`,
    `${long}a`,
    `${long}b`,
    `x${long}a`,
  ];
}
