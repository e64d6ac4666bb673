/** Parses JSON of limited depth. */

/** Deeper than any documented body, and far less than what exhausts the stack. */
export const MAX_DEPTH = 200;

/** Undefined if the text is not JSON, or is nested deeper than MAX_DEPTH (see isTooDeep). */
export function jsonIn(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

type ParseWithSources = (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** Like `jsonIn`, but numbers that JavaScript would round are strings with all their digits, such as ids of 64 bits. */
export function exactJsonIn(text: string): unknown {
  if (jsonIn(text) === undefined) return undefined;
  return (JSON.parse as ParseWithSources)(text, (_, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? source : value,
  );
}

/** Whether objects and lists are nested deeper than MAX_DEPTH. Text in strings does not count. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInString && character === '\\') at += 1;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '{' || character === '[') {
      if ((depth += 1) > MAX_DEPTH) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}
