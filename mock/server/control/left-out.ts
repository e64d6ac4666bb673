/** Leaves out of bodies what lets somebody in: by the names of members, in JSON whole or cut, and in forms. */

/** Names of headers, parameters and members whose values are secret. */
const SECRET = /authorization|cookie|token|secret|password|api-?key|assertion|^code(_verifier)?$/i;
/** What only speaks of a token. */
const HARMLESS = /tokenUrl|token_?(?:type|endpoint)/i;

export const LEFT_OUT = '[left out]';

export function isSecretName(name: string): boolean {
  return SECRET.test(name) && !HARMLESS.test(name);
}

/** `type` is the content type of a request's body; an answer is JSON or text. */
export function withoutSecrets(text: string, type = ''): string {
  if (/^application\/x-www-form-urlencoded/i.test(type)) return withoutSecretFields(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return withoutSecretMembers(text);
  }
  return JSON.stringify(value, leaveOut);
}

function withoutSecretFields(form: string): string {
  const fields = [...new URLSearchParams(form)];
  return fields.map(([name, value]) => `${name}=${isSecretName(name) ? LEFT_OUT : value}`).join('&');
}

/** A replacer: sees each member before what is in it. */
function leaveOut(this: unknown, name: string, value: unknown): unknown {
  if (name === 'value' && (this as { secret?: unknown }).secret === true) return LEFT_OUT;
  if (!isSecretName(name) || typeof value === 'boolean' || typeof value === 'number') return value;
  return hidden(value);
}

/** The names of what it holds stay. */
function hidden(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? null : LEFT_OUT;
  if (Array.isArray(value)) return value.map(hidden);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hidden(inner)]));
}

const STRING = String.raw`"(?:[^"\\]|\\.)*"?`;
const MEMBER = new RegExp(
  String.raw`(${STRING})(\s*:\s*)(${STRING}|\{(?:[^}"]|${STRING})*\}?|\[(?:[^\]"]|${STRING})*\]?)`,
  'gs',
);

/** For what is cut or was never JSON: rather too much than too little, so that values of variables go too, be they secret or not. */
function withoutSecretMembers(text: string): string {
  return text.replaceAll(MEMBER, (member: string, quoted: string, colon: string, value: string) => {
    const name = quoted.slice(1, -1);
    if (isSecretName(name) || name === 'value') return `${quoted}${colon}"${LEFT_OUT}"`;
    return value.startsWith('"') ? member : `${quoted}${colon}${withoutSecretMembers(value)}`;
  });
}
