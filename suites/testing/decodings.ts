/** For tests: everything that a text may mean, if its parts are decoded. */

/** Encodings may be nested. */
const MAX_NESTING = 3;

const named: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(
    'amp& lt< gt> quot" apos\' plus+ sol/ equals= period. lowbar_ colon:'.matchAll(/([a-z]+)(\S)/g),
    ([, ...pair]) => pair,
  ),
);

const fromHex = (hex: string): string => String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10_ff_ff));

/** Decodes every escape once. */
const unescape = (text: string): string =>
  text
    .replace(/(?:%[0-9a-f]{2})+/gi, (found) => Buffer.from(found.replaceAll('%', ''), 'hex').toString())
    .replace(/(?:\\U00|\\u\{)([0-9a-fA-F]{1,6})\}?|%u([0-9a-f]{4})/g, (_, long?: string, short?: string) =>
      fromHex(long ?? short ?? ''),
    )
    .replace(/\\u([0-9a-f]{4})|\\([^a-z0-9])/gi, (_, hex?: string, character = '') =>
      hex === undefined ? String(character) : fromHex(hex),
    )
    .replace(/\\([0-3][0-7]{2})/g, (_, octal: string) => String.fromCodePoint(parseInt(octal, 8)))
    .replace(/&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|&([a-z]{2,6});/gi, (found, hex?: string, code?: string, name = '') => {
      if (hex !== undefined) return fromHex(hex);
      return code === undefined ? (named[String(name)] ?? found) : String.fromCodePoint(Number(code));
    });

const readable = (text: string): boolean => !/[^\s\x20-\x7e\u00a0-\ufffc]{3}/.test(text);

/** The texts in base64 and hex, which may begin at any character of a longer word. */
function unpack(text: string): string {
  const joined = text.replace(/(?<=[\w+/]{40})(?:\\r|\\n|\r|\n)+(?=[\w+/])|(?<=\b[0-9a-f]{2}):(?=[0-9a-f]{2}\b)/gi, '');
  const words = new Set(joined.match(/[\w+/-]{12,}/g) ?? []);
  const found: string[] = [];
  for (const word of words) {
    if (/^[0-9a-f]{16,}$/i.test(word)) found.push(Buffer.from(word, 'hex').toString());
    for (const offset of [0, 1, 2, 3]) found.push(Buffer.from(word.slice(offset), 'base64').toString());
  }
  return found.filter(readable).join('\n');
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
