/** Redacts secrets in bodies by the names of members: in JSON, also if it is cut, in events, and in forms. */

import { splitUrl } from './split-url.ts';

/** Names of headers, parameters and members whose values are secret. */
const SECRET = /authorization|cookie|token|secret|password|api[-_]?key|assertion|^code(_verifier)?$/i;
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
    return EVENT_LINE.test(text) ? redactEvents(text) : redactMembers(text);
  }
  return JSON.stringify(value, redactMember);
}

/** Without the host of an absolute URL; encoded as it was sent. */
export function redactUrl(url: string): string {
  const { path, query } = splitUrl(url);
  const isSecret = (pair: string): boolean => [...new URLSearchParams(pair).keys()].some(isSecretName);
  const pairs = query.split('&').map((pair) => (isSecret(pair) ? `${pair.split('=', 1)[0]}=${REDACTED}` : pair));
  return query === '' ? path : `${path}?${pairs.join('&')}`;
}

const EVENT_LINE = /^data: /m;

/** Of server-sent events, the data of each is JSON. */
function redactEvents(events: string): string {
  const lines = events.split('\n').map((line) => {
    const [, data] = /^data: (.*)$/.exec(line) ?? [];
    return data === undefined ? redactMembers(line) : `data: ${redactSecrets(data)}`;
  });
  return lines.join('\n');
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

/** For invalid JSON. Redacts too much rather than too little: values of all environment variables, for example. */
function redactMembers(text: string): string {
  let output = '';
  let kept = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    const end = endOfString(text, at);
    const value = startOfValue(text, end);
    if (value < 0) at = end;
    else if (!isSecretMember(text.slice(at + 1, end - 1))) at = value;
    else {
      output += `${text.slice(kept, value)}"${REDACTED}"`;
      kept = at = endOfValue(text, value);
    }
  }
  return output + text.slice(kept);
}

function isSecretMember(name: string): boolean {
  return isSecretName(name) || name === 'value';
}

/** After the closing quote, or at the end of a text that is cut. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** Of the member whose name ends at `end`: -1 if this is no name, or its value is neither a string, an object nor an array. */
function startOfValue(text: string, end: number): number {
  const colon = afterSpace(text, end);
  if (text[colon] !== ':') return -1;
  const value = afterSpace(text, colon + 1);
  return '"{['.includes(text[value] ?? '-') ? value : -1;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? '-')) at++;
  return at;
}

/** After the value, or at the end of a text that is cut. */
function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '"') at = endOfString(text, at) - 1;
    else if (text[at] === '{' || text[at] === '[') depth++;
    else if ((text[at] === '}' || text[at] === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}
