/** A short text for the input of a counterexample, for the terminal and the report page. */

const MAX_INPUT_LENGTH = 100;

/** Such as `count 101`. Undefined if the input has a structure that only the case knows: the request shows what was sent. */
export function simpleInput(input: unknown): string | undefined {
  const members = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  if (members.length === 0 || Array.isArray(input) || members.some(([, value]) => typeof value === 'object'))
    return undefined;
  const text = members.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ');
  return text.length <= MAX_INPUT_LENGTH ? text : undefined;
}
