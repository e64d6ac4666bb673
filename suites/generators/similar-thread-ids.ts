/** Thread ids that a faulty server may confuse: common prefixes, other letter case, same words, ends, parts, numbers, letters or spaces. */

const HEX = '0123456789abcdef';

/**
 * UUIDs that are similar to this one: one digit differs, or groups have other places. None differs only in letter case, because
 * those are the same UUID (RFC 9562 section 4). The version and the variant remain.
 */
export function similarUuids(uuid: string): readonly string[] {
  const [time = '', middle = '', ...others] = uuid.split('-');
  const withOther = (at: number): string => uuid.slice(0, at) + otherDigit(uuid[at]) + uuid.slice(at + 1);
  const swapped = [time.slice(0, 4) + middle, time.slice(4), ...others].join('-');
  return [...new Set([uuid, withOther(35), withOther(0), withOther(10), swapped])];
}

const otherDigit = (digit = '0'): string => HEX[(HEX.indexOf(digit) + 1) % HEX.length]!;

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
