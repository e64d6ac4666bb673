/** Splits text like a tokenizer: words and punctuation, each with preceding whitespace. Joining the tokens restores the text. */
export function tokensOf(text: string): string[] {
  return text.match(/\s*[\p{L}\p{N}_]+|\s*[^\s\p{L}\p{N}_]|\s+$/gu) ?? [];
}
