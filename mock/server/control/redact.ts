/** Leaves out of bodies what lets somebody in: by the names of members, in JSON whole or cut, and in forms. */

/** Names of headers, parameters and members whose values are secret. */
const SECRET = /authorization|cookie|token|secret|password|api-?key|assertion|^code(_verifier)?$/i;
/** What only speaks of a token. */
const HARMLESS = /tokenUrl|token_?(?:type|endpoint)/i;

export const REDACTED = '[left out]';

export function isSecretName(name: string): boolean {
  return SECRET.test(name) && !HARMLESS.test(name);
}

/** `type` is the content type of a request's body; an answer is JSON or text. */
export function redactSecrets(text: string, type = ''): string {
  if (/^application\/x-www-form-urlencoded/i.test(type)) return redactFields(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return redactMembers(text);
  }
  return JSON.stringify(value, redactMember);
}

function redactFields(form: string): string {
  const fields = [...new URLSearchParams(form)];
  return fields.map(([name, value]) => `${name}=${isSecretName(name) ? REDACTED : value}`).join('&');
}

/** A replacer: sees each member before what is in it. */
function redactMember(this: unknown, name: string, value: unknown): unknown {
  if (name === 'value' && (this as { secret?: unknown }).secret === true) return REDACTED;
  if (!isSecretName(name) || typeof value === 'boolean' || typeof value === 'number') return value;
  return redacted(value);
}

/** The names of what it holds stay. */
function redacted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? null : REDACTED;
  if (Array.isArray(value)) return value.map(redacted);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redacted(inner)]));
}

const STRING = String.raw`"(?:[^"\\]|\\.)*"?`;
const MEMBER = new RegExp(
  String.raw`(${STRING})(\s*:\s*)(${STRING}|\{(?:[^}"]|${STRING})*\}?|\[(?:[^\]"]|${STRING})*\]?)`,
  'gs',
);

/** For what is cut or was never JSON: rather too much than too little, so that values of variables go too, be they secret or not. */
function redactMembers(text: string): string {
  return text.replaceAll(MEMBER, (member: string, quoted: string, colon: string, value: string) => {
    const name = quoted.slice(1, -1);
    if (isSecretName(name) || name === 'value') return `${quoted}${colon}"${REDACTED}"`;
    return value.startsWith('"') ? member : `${quoted}${colon}${redactMembers(value)}`;
  });
}
