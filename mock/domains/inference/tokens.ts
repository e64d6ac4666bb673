/** Splits a text as a tokenizer would: words and marks, each with the blanks before it; joined they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(/\s*[\p{L}\p{N}_]+|\s*[^\s\p{L}\p{N}_]|\s+$/gu) ?? [];
}
