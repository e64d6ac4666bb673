/** Reads JSON that was cut off somewhere: what stands before the cut, up to the last value that is whole. */

export interface ReadJson {
  readonly value: unknown;
  /** False: more was there. */
  readonly whole: boolean;
}

/** undefined: the text is no JSON, cut or not. */
export function readJson(text: string): ReadJson | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return { value: whole.value, whole: true };
  const closed = closedAtLastValue(text);
  const cut = closed === undefined ? undefined : parsed(closed);
  return cut === undefined ? undefined : { value: cut.value, whole: false };
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A comma stands behind a whole value: cut at the last one and close what is open there. */
function closedAtLastValue(text: string): string | undefined {
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
