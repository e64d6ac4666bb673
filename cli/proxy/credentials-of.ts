/** Finds the credentials in an exchange, so that they are redacted wherever target or client repeat them. */
import { isSecretField, isSecretName } from '../../spec/secret-names.ts';
import type { BodyCopy } from './body-copy.ts';
import type { RawHeaders } from './end-to-end.ts';
import { valuesOf } from './end-to-end.ts';
import type { ForwardedExchange } from './forward.ts';

/** Characters. Longer bodies are not searched. */
const MAX_SEARCHED = 2 ** 20;

/** Of the client: in its headers, the query, and a form or JSON. */
export function sentCredentials({ url, headers, body }: ForwardedExchange): string[] {
  const [, query = ''] = url.split('?', 2);
  return [
    ...credentialsIn(headers).flatMap(tokensOf),
    ...valuesOf(headers, 'cookie').flatMap((cookies) => cookies.split(';').map(valueOfCookie)),
    ...fieldsIn(query),
    ...inBody(headers, body),
  ];
}

/** Issued by the target: cookies, and in JSON or a form. */
export function issuedCredentials({ response }: ForwardedExchange): string[] {
  if (response === undefined) return [];
  const { headers, body } = response;
  return [...valuesOf(headers, 'set-cookie').map(valueOfCookie), ...inBody(headers, body)];
}

/** Complete values of Authorization headers, with their scheme. */
export const credentialsIn = (headers: RawHeaders): string[] =>
  headers.filter((_, index) => index % 2 === 1 && isCredential(headers[index - 1] ?? ''));

export const isCredential = (name: string): boolean => /authorization$/i.test(name);

/** The token, and the secret of `Basic` (RFC 7617; RFC 6749 section 2.3.1: form-encoded). */
function tokensOf(value: string): string[] {
  const token = value.replace(/^\S+ +/, '');
  if (!/^basic /i.test(value)) return [token];
  const pair = Buffer.from(token, 'base64').toString();
  const secret = pair.slice(pair.indexOf(':') + 1);
  return [token, secret, ...new URLSearchParams(`${secret}=`).keys()];
}

function valueOfCookie(cookie: string): string {
  const [pair = ''] = cookie.split(';', 1);
  return pair.slice(pair.indexOf('=') + 1).trim();
}

const fieldsIn = (form: string): string[] =>
  [...new URLSearchParams(form)].flatMap(([name, value]) => (isSecretField(name.trim()) ? [value] : []));

function inBody(headers: RawHeaders, body: BodyCopy): string[] {
  const text = body.text(valuesOf(headers, 'content-encoding')[0]) ?? '';
  if (text === '' || text.length > MAX_SEARCHED) return [];
  try {
    return secretStrings(JSON.parse(text));
  } catch {
    return fieldsIn(text);
  }
}

/** Strings in members with a secret name, and values of secret variables. Without recursion: a body may have any number of levels. */
function secretStrings(json: unknown): string[] {
  const found: string[] = [];
  const open: { value: unknown; isSecret: boolean }[] = [{ value: json, isSecret: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, isSecret } = next;
    if (typeof value === 'string' && isSecret) found.push(value);
    if (typeof value !== 'object' || value === null) continue;
    const isVariable = 'secret' in value && value.secret === true;
    for (const [name, each] of Object.entries(value))
      open.push({ value: each, isSecret: isSecret || isSecretName(name) || (isVariable && name === 'value') });
  }
  return found;
}
