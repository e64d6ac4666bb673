/** Keys that differ slightly from a known one, so no server has issued them. */
import * as fc from 'fast-check';

const another = (letter: string | undefined): string => (letter === 'x' ? 'y' : 'x');

function changedAt(key: string, at: number): string {
  const index = Math.min(key.length - 1, Math.floor(at * key.length));
  return key.slice(0, index) + another(key[index]) + key.slice(index + 1);
}

/** Hexadecimal keys, including UUIDs, may be compared without regard to letter case. */
const isHexadecimal = (key: string): boolean => /^[0-9a-f-]+$/i.test(key);

const inOtherCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );

/** By description. A change that a server could read as the same key returns the key unchanged. */
export const alterations: Readonly<Record<string, (key: string) => string>> = {
  'its first character changed': (key) => changedAt(key, 0),
  'a character in its middle changed': (key) => changedAt(key, 0.5),
  'its last character changed': (key) => changedAt(key, 1),
  'its last character omitted': (key) => key.slice(0, -1),
  'its first character omitted': (key) => key.slice(1),
  'half of it': (key) => key.slice(0, Math.ceil(key.length / 2)),
  'one character more': (key) => `${key}x`,
  'one character before it': (key) => `x${key}`,
  'its letters in the other case': (key) => (isHexadecimal(key) ? key : inOtherCase(key)),
};

/** The position of the changed character, from 0 (the first) to 1 (the last). */
export const keyPlace: fc.Arbitrary<number> = fc.double({ min: 0, max: 1, noNaN: true });

/** Never the key itself. */
export const withCharacterChanged = changedAt;
