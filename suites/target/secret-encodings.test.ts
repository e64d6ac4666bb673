import { expect, test } from 'vitest';
import { decodingsOf } from '../testing/decodings.ts';
import { encodings } from '../testing/encodings.ts';
import { createRedaction } from './redaction.ts';

/** With characters that each encoding escapes. */
const SECRET = `s3+cr/et "k&y" <7>='x' ~é`;
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLXdpdGgtLV9f';

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
    for (const text of [encoded, `a=1&b=${encoded}&c=2`, `v1.${encoded}`, `{"a": 1}\n${encoded} end`]) {
      const clean = redaction.text(text);
      expect(clean).not.toContain(encoded);
      expect(leaks(clean, secret)).toBe(false);
      expect(redaction.deep({ [text]: [text] })).not.toContain(encoded);
    }
  }
});

test.each(['swordfish', 'élan pässwörd=ñandú', 'm4il+sec/ret&of=the~mail "<box>"', '0123456789abcdef'])(
  'no part of %s is left in any encoding',
  (secret) => {
    const redaction = createRedaction();
    redaction.learn(secret, 'SVC_SECRET');
    const left = Object.entries(encodings).filter(([, encode]) => {
      const text = `id ${encode(secret)}.`;
      const forms = [redaction.known(text), redaction.text(text)].flatMap(decodingsOf);
      return forms.some((form) => form.includes(secret.slice(-9)) || form.includes(secret.slice(0, 9)));
    });
    expect(left).toEqual([]);
  },
);

test.each(['%EF%BF%BD'.repeat(10), '%E2%82'.repeat(20), '%FF'.repeat(9)])(
  'a percent-encoded secret after %s is redacted',
  (before) => {
    const redaction = createRedaction();
    redaction.learn(SECRET, 'SVC_SECRET');
    const percent = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');
    expect(redaction.text(`${before}${percent(SECRET)}${percent('!'.repeat(40))}`)).toBe(
      `${before}$SVC_SECRET${percent('!'.repeat(40))}`,
    );
  },
);

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
