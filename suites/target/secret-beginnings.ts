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
  const names = new Map<string, string>();
  let pattern = /(?!)/g;
  const isFoundIn = (text: string): boolean => text.search(pattern) >= 0;
  return {
    learn(secret, name) {
      if (secret.startsWith('eyJ') || secret.length > MAX_SECRET) return;
      for (let length = MIN_BEGINNING; length < secret.length; length += 1)
        names.set(secret.slice(0, length), `$${name}`);
      const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length);
      if (longestFirst.length > 0) pattern = new RegExp(longestFirst.map((each) => RegExp.escape(each)).join('|'), 'g');
    },
    replace(text) {
      const isEncoded = decodedForms(text).some(isFoundIn);
      if (!isEncoded && !isFoundIn(text)) return text;
      const forms = [{ text, starts: undefined }, ...(isEncoded ? mappedForms(text) : [])];
      const found = forms.flatMap(({ text: form, starts }) =>
        [...form.matchAll(pattern)].map(({ 0: part, index }): Found => {
          const end = index + part.length;
          return { from: starts?.[index] ?? index, to: starts?.[end] ?? end, by: names.get(part) ?? '' };
        }),
      );
      return replaceFound(text, found);
    },
  };
}
