/** Replaces the own words of a target, such as its addresses, so that texts of two targets can be compared. */

/** `words`: by name, at any depth. Longer ones first, because one may be a part of another. */
export function neutralizer(words: object, prefix: string): (text: string) => string {
  const named = Object.entries(words).flatMap(([name, value]) =>
    textsIn(value).map((word): [string, string] => [word, `<${name}>`]),
  );
  const ordered = [...named, [prefix, '<run>-'] as [string, string]].toSorted(([a], [b]) => b.length - a.length);
  return (text) => ordered.reduce((so, [word, name]) => so.replaceAll(word, name), text);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
