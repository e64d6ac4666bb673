/** Redacts secrets in bodies by the names of members: in JSON, also if it is cut, and in forms. */

/** Names of headers, parameters and members whose values are secret. */
const SECRET = /authorization|cookie|token|secret|password|api-?key|assertion|^code(_verifier)?$/i;
/** Names that match SECRET but whose values are not secret. */
const HARMLESS = /tokenUrl|token_?(?:type|endpoint)/i;

export const REDACTED = '[redacted]';

export function isSecretName(name: string): boolean {
  return SECRET.test(name) && !HARMLESS.test(name);
}

/** `type`: the content type of a request body; responses are JSON or text. */
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

/** A JSON.stringify replacer; runs on a member before its children. */
function redactMember(this: unknown, name: string, value: unknown): unknown {
  if (name === 'value' && (this as { secret?: unknown }).secret === true) return REDACTED;
  if (!isSecretName(name) || typeof value === 'boolean' || typeof value === 'number') return value;
  return redacted(value);
}

/** Keeps the keys of objects. */
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

/** For invalid JSON. Redacts too much rather than too little: values of all environment variables, for example. */
function redactMembers(text: string): string {
  return text.replaceAll(MEMBER, (member: string, quoted: string, colon: string, value: string) => {
    const name = quoted.slice(1, -1);
    if (isSecretName(name) || name === 'value') return `${quoted}${colon}"${REDACTED}"`;
    return value.startsWith('"') ? member : `${quoted}${colon}${redactMembers(value)}`;
  });
}
