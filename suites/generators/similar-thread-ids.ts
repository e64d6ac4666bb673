/** Thread ids that a careless server takes for one: prefixes of one another, other letter case, same words, same ends, same parts, same numbers. */

/** Distinct, of characters that any header value may hold; `seed` is a text of at least one lower-case letter that no other family has. */
export function similarThreadIds(seed: string): readonly string[] {
  const long = `${seed}-${'conversation-'.repeat(5)}`;
  const longest = long.padEnd(140, 'conversation-');
  /** Beyond what a double tells apart. */
  const digits = [...seed].reduce((text, letter) => text + letter.charCodeAt(0), '9'.repeat(17));
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
    `${longest}a`,
    `${longest}b`,
    `${seed}_1`,
    `${seed},1`,
    `${seed};1`,
    `${seed}%3A1`,
    `${digits}1`,
    `${digits}2`,
  ];
}
