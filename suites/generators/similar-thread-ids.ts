/** Thread ids that a faulty server may confuse: common prefixes, other letter case, same words, ends, parts, numbers, letters or spaces. */

/** Distinct ids of characters that every header value may contain. `seed` is unique and has at least one lower-case letter. */
export function similarThreadIds(seed: string): readonly string[] {
  const long = `${seed}-${'conversation-'.repeat(5)}`;
  /** Longer than a column of 255 characters. */
  const longest = long.padEnd(300, 'conversation-');
  /** Beyond the precision of a double. */
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
    `${seed}/${seed}`,
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
    `${seed} -1`,
  ];
}
