import { expect, test } from 'vitest';
import { appendToBody, createBodies, MAX_BODY_CHARACTERS, storeBody, textOf } from './journal-bodies.ts';

function stored(body: string | Uint8Array): string | undefined {
  const { request } = createBodies();
  storeBody(request, body);
  return textOf(request);
}

const max = 'x'.repeat(MAX_BODY_CHARACTERS);

test.each(['', 'short', 'ä…😀', max, `${max}y`])(
  'a body of up to one character more than the maximum is whole',
  (body) => {
    expect(stored(body)).toBe(body);
    expect(stored(Buffer.from(body))).toBe(body);
  },
);

test.each(['a', 'ä', '…', '😀'])('of a long body of %s, the maximum and one more character are stored', (character) => {
  const body = character.repeat(2 * MAX_BODY_CHARACTERS);
  for (const text of [stored(body), stored(Buffer.from(body))]) {
    expect(text?.slice(0, MAX_BODY_CHARACTERS)).toBe(body.slice(0, MAX_BODY_CHARACTERS));
    expect(text).toHaveLength(MAX_BODY_CHARACTERS + 1);
  }
});

test.each(['a', 'ä', '…', '😀'])('of a stream of %s, as much is stored as of a whole body', (character) => {
  const body = character.repeat(2 * MAX_BODY_CHARACTERS);
  const { response } = createBodies();
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length && appendToBody(response, bytes.subarray(at, at + 1000)); at += 1000);
  expect(textOf(response)?.length).toBe(MAX_BODY_CHARACTERS + 1);
  expect(textOf(response)?.slice(0, MAX_BODY_CHARACTERS) === body.slice(0, MAX_BODY_CHARACTERS)).toBe(true);
});

test('pieces of a stream are joined, whatever memory held before', () => {
  const { response } = createBodies();
  storeBody(response, 'x'.repeat(300));
  response.length = undefined;
  for (const piece of ['a', Buffer.from('ä'), 'y'.repeat(500), 'z']) expect(appendToBody(response, piece)).toBe(true);
  expect(textOf(response)).toBe(`aä${'y'.repeat(500)}z`);
});

test('bytes that are not UTF-8 become replacement characters', () => {
  expect(stored(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\ufffdb');
});

test('without a body there is no text', () => {
  expect(textOf(createBodies().response)).toBeUndefined();
});
