/** What a text may mean if its escapes are decoded, also if they are nested. */
import { decodeEscapes, decodeWithSources, mayHaveEscapes, mayHaveUnusualEscapes } from './escapes.ts';
import type { EscapeKinds } from './escapes.ts';

/** Escapes may be nested, such as JSON within a query. */
const MAX_NESTING = 5;

/** Quoted-printable and lists of bytes are decoded separately, because decoding them may destroy what has other escapes. */
const kindsIn = (texts: readonly string[]): EscapeKinds[] => (texts.some(mayHaveUnusualEscapes) ? ['all'] : []);

/** The decoded forms of a text, without the text itself: at most ten. Empty if it contains no escapes. */
export function decodedForms(text: string): string[] {
  const usual = formsOf(text, 'usual');
  const others = kindsIn([text, ...usual]).flatMap((kinds) => formsOf(text, kinds));
  const forms = new Set([...usual, ...others]);
  forms.delete(text);
  return [...forms];
}

function formsOf(text: string, kinds: EscapeKinds): string[] {
  const forms: string[] = [];
  for (let form = text; forms.length < MAX_NESTING && mayHaveEscapes(form, kinds);) {
    const next = decodeEscapes(form, kinds);
    if (next === form) break;
    forms.push(next);
    form = next;
  }
  return forms;
}

/** A text or a decoded form of it. */
export interface MappedForm {
  readonly text: string;
  /** The first character of the original that the character at this index stands for; at the end, the length of the original. */
  readonly sourceOf: (index: number) => number;
}

/** The text itself and its decoded forms, with the positions of what was decoded. Slower. */
export function* mappedForms(text: string): Generator<MappedForm> {
  yield { text, sourceOf: (index) => index };
  const seen = new Set([text]);
  for (const kinds of ['usual', ...kindsIn([text, ...formsOf(text, 'usual')])] as const) {
    for (const form of mappedFormsOf(text, kinds)) {
      if (!seen.has(form.text)) yield form;
      seen.add(form.text);
    }
  }
}

function* mappedFormsOf(text: string, kinds: EscapeKinds): Generator<MappedForm> {
  let [form, sourcesBefore]: [string, Uint32Array | undefined] = [text, undefined];
  for (let depth = 0; depth < MAX_NESTING && mayHaveEscapes(form, kinds); depth += 1) {
    const { text: next, sources } = decodeWithSources(form, kinds);
    if (next === form) return;
    if (sourcesBefore !== undefined)
      for (let at = 0; at <= next.length; at += 1) sources[at] = sourcesBefore[sources[at]!]!;
    yield { text: next, sourceOf: (index) => sources[index] ?? text.length };
    [form, sourcesBefore] = [next, sources];
  }
}
