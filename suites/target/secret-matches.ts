/** Finds secrets in a text and in its decoded forms, and replaces them. */
import type { MappedForm } from './decoded-forms.ts';

/** A secret, or a part of one, in a text. */
export interface SecretMatch {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly placeholder: string;
}

type Found = { readonly length: number; readonly placeholder: string };

/**
 * `matchAt`: the length in the form and the placeholder of what `pattern` found at this index; undefined if it is no
 * secret.
 */
export function findInForms(
  forms: Iterable<MappedForm>,
  pattern: RegExp,
  matchAt: (form: string, index: number, found: string) => Found | undefined,
): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const { text: form, sourceOf } of forms)
    for (const { 0: found, index } of form.matchAll(pattern)) {
      const match = matchAt(form, index, found);
      if (match === undefined) continue;
      matches.push({
        from: sourceOf(index),
        to: sourceOf(index + match.length),
        placeholder: match.placeholder,
      });
    }
  return matches;
}

/** Of overlapping matches, the one that begins first is replaced, and the rest of the others is omitted. */
export function replaceMatches(text: string, matches: readonly SecretMatch[]): string {
  let [clean, end] = ['', 0];
  for (const { from, to, placeholder } of matches.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= end) clean += text.slice(end, from) + placeholder;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}
