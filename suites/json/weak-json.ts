/** Parses a large JSON text again when it is needed, because what it is parsed to takes several times the memory of the text. */
import { jsonIn } from './json-in.ts';

/** Characters. What shorter texts are parsed to is kept. */
const MIN_LARGE_LENGTH = 2 ** 16;

/** Returns what the text is parsed to; the same object as long as anything refers to it. `json`: what it is parsed to. */
export function weakJson(text: string, json: unknown): () => unknown {
  if (text.length < MIN_LARGE_LENGTH || typeof json !== 'object' || json === null) return () => json;
  let kept = new WeakRef(json);
  return () => {
    const known = kept.deref();
    if (known !== undefined) return known;
    const again = jsonIn(text) as object;
    kept = new WeakRef(again);
    return again;
  };
}
