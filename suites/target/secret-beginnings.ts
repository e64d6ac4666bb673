/** Replaces the beginnings of secrets that are left in truncated texts: messages quote the beginning of what a target sent. */
import { decodedForms, mappedForms } from './decoded-forms.ts';
import { lazy, patternOf, withSpaces } from './secret-encodings.ts';
import { findInForms, replaceMatches } from './secret-matches.ts';

const MIN_BEGINNING = 12;
/** Characters. Longer secrets are tokens, whose beginning is no secret. */
const MAX_SECRET = 200;

export interface Beginnings {
  learn(secret: string, name: string): void;
  replace(text: string): string;
  /** The placeholder of the first secret of which a text without escapes has at least the beginning. */
  find(text: string): string | undefined;
}

export function createBeginnings(): Beginnings {
  const beginnings = new Set<string>();
  /** Secrets and their placeholders, by their first characters. In both, + is a space. */
  const byBeginning = new Map<string, Map<string, string>>();
  const pattern = lazy(() => patternOf([...beginnings]));
  const isFoundIn = (text: string): boolean => text.search(pattern.get()) >= 0;
  const longestAt = (text: string, index: number, beginning: string) =>
    longestPart(withSpaces(text.slice(index, index + MAX_SECRET)), byBeginning.get(withSpaces(beginning)));
  return {
    learn(secret, name) {
      if (secret.startsWith('eyJ') || secret.length > MAX_SECRET || secret.length <= MIN_BEGINNING) return;
      const beginning = secret.slice(0, MIN_BEGINNING);
      beginnings.add(beginning);
      const key = withSpaces(beginning);
      byBeginning.set(key, new Map(byBeginning.get(key)).set(withSpaces(secret), `$${name}`));
      pattern.renew();
    },
    replace(text) {
      if (!isFoundIn(text) && !decodedForms(text).some(isFoundIn)) return text;
      return replaceMatches(text, findInForms(mappedForms(text), pattern.get(), longestAt));
    },
    find(text) {
      const index = text.search(pattern.get());
      return index < 0 ? undefined : longestAt(text, index, text.slice(index, index + MIN_BEGINNING)).placeholder;
    },
  };
}

/** The longest beginning of one of the secrets with which the text begins. */
function longestPart(text: string, secrets: ReadonlyMap<string, string> = new Map()) {
  let longest = { length: MIN_BEGINNING, placeholder: '' };
  for (const [secret, placeholder] of secrets) {
    let length = MIN_BEGINNING;
    while (length < secret.length && secret[length] === text[length]) length += 1;
    if (longest.placeholder === '' || length > longest.length) longest = { length, placeholder };
  }
  return longest;
}
