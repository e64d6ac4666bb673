/** Replaces the beginnings of secrets that are left in truncated texts: messages quote the beginning of what a target sent. */
import { decodedForms, mappedForms } from './secret-encodings.ts';

const MIN_BEGINNING = 12;
/** Characters. Longer secrets are tokens, whose beginning is no secret. */
const MAX_SECRET = 200;

/** A secret in a text: where, and its placeholder. */
export interface Found {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly by: string;
}

/** Of overlapping ones, the one that begins first is replaced, and the rest of the others is omitted. */
export function replaceFound(text: string, found: readonly Found[]): string {
  let [clean, end] = ['', 0];
  for (const { from, to, by } of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= end) clean += text.slice(end, from) + by;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}

export interface Beginnings {
  learn(secret: string, name: string): void;
  replace(text: string): string;
}

export function createBeginnings(): Beginnings {
  /** Secrets and their placeholders, by their first characters. */
  const byBeginning = new Map<string, Map<string, string>>();
  let pattern = /(?!)/g;
  const isFoundIn = (text: string): boolean => text.search(pattern) >= 0;
  return {
    learn(secret, name) {
      if (secret.startsWith('eyJ') || secret.length > MAX_SECRET || secret.length <= MIN_BEGINNING) return;
      const beginning = secret.slice(0, MIN_BEGINNING);
      byBeginning.set(beginning, new Map(byBeginning.get(beginning)).set(secret, `$${name}`));
      pattern = new RegExp([...byBeginning.keys()].map((each) => RegExp.escape(each)).join('|'), 'g');
    },
    replace(text) {
      const isEncoded = decodedForms(text).some(isFoundIn);
      if (!isEncoded && !isFoundIn(text)) return text;
      const forms = [{ text, starts: undefined }, ...(isEncoded ? mappedForms(text) : [])];
      const found = forms.flatMap(({ text: form, starts }) =>
        [...form.matchAll(pattern)].map(({ 0: beginning, index }): Found => {
          const { length, by } = longestPart(form.slice(index, index + MAX_SECRET), byBeginning.get(beginning));
          const end = index + length;
          return { from: starts?.[index] ?? index, to: starts?.[end] ?? end, by };
        }),
      );
      return replaceFound(text, found);
    },
  };
}

/** The longest beginning of one of the secrets with which the text begins. */
function longestPart(text: string, secrets: ReadonlyMap<string, string> = new Map()): { length: number; by: string } {
  let longest = { length: MIN_BEGINNING, by: '' };
  for (const [secret, by] of secrets) {
    let length = MIN_BEGINNING;
    while (length < secret.length && secret[length] === text[length]) length += 1;
    if (longest.by === '' || length > longest.length) longest = { length, by };
  }
  return longest;
}
