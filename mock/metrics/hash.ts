/** Deterministic hashes in place of random numbers: 32-bit, unsigned. */

/** Mixes an integer into a seed. Consecutive integers yield unrelated results (the finalizer of MurmurHash3). */
export function mix(seed: number, value: number): number {
  let hash = Math.imul(seed ^ value, 0x9e3779b1) ^ seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Mixes a string into a seed, by code unit (FNV-1a). */
export function hashText(seed: number, text: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash, text.length);
}

/** The element at an index modulo the length. */
export function pick<Choice>(choices: readonly Choice[], number: number): Choice {
  const choice = choices[number % choices.length];
  if (choice === undefined) throw new RangeError('Cannot pick from an empty array.');
  return choice;
}
