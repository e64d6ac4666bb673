/** Parses truncated JSON up to the last complete value. */

export interface TruncatedJson {
  readonly value: unknown;
  /** False if the text was truncated. */
  readonly whole: boolean;
}

/** Returns undefined if the text is not JSON, truncated or not. */
export function parseTruncatedJson(text: string): TruncatedJson | undefined {
  const whole = parse(text);
  if (whole !== undefined) return { value: whole.value, whole: true };
  const closed = closeAtLastValue(text);
  const cut = closed === undefined ? undefined : parse(closed);
  return cut === undefined ? undefined : { value: cut.value, whole: false };
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A comma follows a complete value: cut at the last one and close what is open there. */
function closeAtLastValue(text: string): string | undefined {
  const open: string[] = [];
  let last: { index: number; open: string } | undefined;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[[\]{},]/gs)) {
    if (token === '{') open.push('}');
    else if (token === '[') open.push(']');
    else if (token === ',') last = { index, open: open.toReversed().join('') };
    else if (token === open.at(-1)) open.pop();
  }
  return last === undefined ? undefined : text.slice(0, last.index) + last.open;
}
