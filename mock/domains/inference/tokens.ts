/** Splits text like a tokenizer: words and punctuation, each with preceding whitespace. Joining the tokens restores the text. */
export function tokensOf(text: string): string[] {
  return text.match(/\s*[\p{L}\p{N}_]+|\s*[^\s\p{L}\p{N}_]|\s+$/gu) ?? [];
}

const MAX_COUNTED_LENGTH = 100_000;

/** The number of tokens; of a long text, an estimate from its beginning. */
export function countTokens(text: string): number {
  if (text.length <= MAX_COUNTED_LENGTH) return tokensOf(text).length;
  return Math.round((tokensOf(text.slice(0, MAX_COUNTED_LENGTH)).length * text.length) / MAX_COUNTED_LENGTH);
}
