/** For tests: everything that a text may mean, if its parts are decoded. */

/** Percent-encoded base64, for example. */
const MAX_NESTING = 2;

const named: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('amp& lt< gt> quot" apos\''.matchAll(/([a-z]+)(\S)/g), ([, ...pair]) => pair),
);

const fromHex = (hex: string): string => String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10_ff_ff));

const escapes: readonly (readonly [pattern: string, decode: (found: string) => string])[] = [
  ['(?:%[0-9a-f]{2})+', (found) => Buffer.from(found.replaceAll('%', ''), 'hex').toString()],
  [String.raw`\\u[0-9a-f]{4}`, (found) => fromHex(found.slice(2))],
  [String.raw`\\[nr]`, (found) => (found.endsWith('n') ? '\n' : '\r')],
  [String.raw`\\[^a-z0-9]`, (found) => found.slice(1)],
  ['&#x[0-9a-f]{1,6};?', (found) => fromHex(found.slice(3))],
  ['&#[0-9]{1,7};?', (found) => String.fromCodePoint(Math.min(parseInt(found.slice(2), 10), 0x10_ff_ff))],
  ['&[a-z]{2,6};', (found) => named[found.slice(1, -1)] ?? found],
];
const anyEscape = new RegExp(escapes.map(([pattern]) => `(${pattern})`).join('|'), 'gi');

/** Decodes every escape once. */
const unescape = (text: string): string =>
  text.replace(anyEscape, (found: string, ...groups: (string | undefined)[]) =>
    escapes[groups.findIndex((group) => group !== undefined)]![1](found),
  );

const readable = (text: string): boolean => !/[^\s\x20-\x7e\u00a0-\ufffc]{3}/.test(text);

/** The texts in base64 and hex, which may begin at any character of a longer word. */
function unpack(text: string): string {
  const words = new Set(text.match(/[\w+/-]{12,}/g) ?? []);
  const found: Buffer[] = [];
  for (const word of words) {
    if (/^[0-9a-f]{16,}$/i.test(word)) found.push(Buffer.from(word, 'hex'));
    for (const offset of [0, 1, 2, 3]) found.push(Buffer.from(word.slice(offset), 'base64'));
  }
  return found.map(String).filter(readable).join('\n');
}

/** The text itself, and its decoded forms without repetitions. */
export function decodingsOf(text: string): string[] {
  const forms = new Set([text, text.replaceAll('+', ' ')]);
  let latest = [...forms];
  for (let depth = 0; depth < MAX_NESTING; depth += 1) {
    const next = latest.flatMap((form) => [unescape(form), unpack(form)]).filter((form) => !forms.has(form));
    for (const form of next) forms.add(form);
    latest = next;
  }
  return [...forms];
}
