import { expect, test } from 'vitest';
import { createRedaction } from './redaction.ts';

/** With characters that each encoding escapes. */
const SECRET = `s3+cr/et "k&y" <7>='x' ~é`;
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLXdpdGgtLV9f';

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicode = (text: string): string =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const mixed = (text: string): string =>
  [...text].map((each, at) => [each, percent(each), unicode(each), `&#${each.codePointAt(0)};`][at % 4]).join('');
const html = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[each]!);

const encodings: Record<string, (text: string) => string> = {
  itself: (text) => text,
  'percent-encoding': encodeURIComponent,
  'percent-encoding in lower case': (text) => encodeURIComponent(text).replace(/%../g, (each) => each.toLowerCase()),
  'percent-encoding of every character': percent,
  'percent-encoding of every character in upper case': (text) => percent(text).toUpperCase().replaceAll('%5CU', '%5Cu'),
  'form encoding': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'a JSON string': (text) => JSON.stringify(text),
  'a JSON string with escaped slashes': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  'JSON escapes of every character': unicode,
  'JSON escapes in upper case': (text) =>
    unicode(text).replace(/\\u..../g, (each) => `\\u${each.slice(2).toUpperCase()}`),
  'HTML entities': html,
  'decimal HTML references': (text) => [...text].map((each) => `&#${each.codePointAt(0)};`).join(''),
  'hexadecimal HTML references': (text) => [...text].map((each) => `&#x${each.codePointAt(0)?.toString(16)};`).join(''),
  'a mixture': mixed,
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 of id:secret': (text) => Buffer.from(`client:${text}`).toString('base64'),
  'base64 of other lengths before it': (text) => Buffer.from(`ab${text}`).toString('base64'),
  'base64 of JSON, as in a cursor': (text) =>
    Buffer.from(JSON.stringify({ after: 1, by: 'x', of: [TOKEN, text] })).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'JSON within percent-encoding': (text) => encodeURIComponent(JSON.stringify({ a: text })),
  'percent-encoding twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent-encoded base64': (text) => encodeURIComponent(Buffer.from(`id:${text}`).toString('base64')),
};

/** No part of the text can be decoded to the secret. */
function leaks(text: string, secret: string): boolean {
  const tail = secret.slice(-12);
  const forms = [text, text.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))];
  const base64 = text.match(/[\w+/=-]{12,}/g)?.map((each) => Buffer.from(each, 'base64').toString()) ?? [];
  return [...forms, ...base64].some((form) => form.includes(secret) || form.includes(tail));
}

test.each(Object.keys(encodings))('%s of a secret is redacted, also within other text', (name) => {
  const redaction = createRedaction();
  redaction.learn(SECRET, 'SVC_SECRET');
  redaction.learn(TOKEN, 'SVC_TOKEN');
  for (const secret of [SECRET, TOKEN]) {
    const encoded = encodings[name]!(secret);
    for (const text of [encoded, `a=1&b=${encoded}&c=2`, `{"a": 1}\n${encoded} end`]) {
      const clean = redaction.text(text);
      expect(clean).not.toContain(encoded);
      expect(leaks(clean, secret)).toBe(false);
      expect(redaction.deep({ [text]: [text] })).not.toContain(encoded);
    }
  }
});

test('texts with escapes but without a secret stay', () => {
  const redaction = createRedaction();
  redaction.learn(SECRET, 'SVC_SECRET');
  for (const text of ['a%20b&amp;c\\u0041', '100 % & more \\ +', '%', '&#99999999;', '\\ud800'])
    expect(redaction.text(text)).toBe(text);
});

test('values of cookies that the target sets are redacted, whatever their names', () => {
  const headers = { 'set-cookie': 'sid=abc; Path=/, theme=dark; HttpOnly', other: 'sid=abc' };
  expect(createRedaction().deep({ headers })).toEqual({
    headers: { 'set-cookie': 'sid=(redacted); Path=/, theme=(redacted); HttpOnly', other: 'sid=abc' },
  });
});
