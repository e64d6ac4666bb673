/** For tests: the encodings in which a target may return a secret. */
import { deflateSync, gzipSync } from 'node:zlib';

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicode = (text: string): string =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const mixed = (text: string): string =>
  [...text].map((each, at) => [each, percent(each), unicode(each), `&#${each.codePointAt(0)};`][at % 4]).join('');
const html = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[each]!);

/** References to all that have a name. */
const references: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(
    '+plus /sol "quot &amp <lt >gt =equals \'apos .period _lowbar :colon'.matchAll(/(\S)(\w+)/g),
    ([, ...pair]) => pair,
  ),
);
const padded = (text: string, digits: number): string[] =>
  [...text].map((each) => (each.codePointAt(0) ?? 0).toString(16).padStart(digits, '0'));
const bytesOf = (text: string): string[] => Buffer.from(text).toString('hex').match(/../g) ?? [];
const quotedPrintable = (text: string, plain: RegExp): string =>
  [...text].map((each) => (plain.test(each) ? each : percent(each).toUpperCase().replaceAll('%', '='))).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const encodings: Readonly<Record<string, (text: string) => string>> = {
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
    Buffer.from(JSON.stringify({ after: 1, by: 'x', of: ['x.y.z', text] })).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'JSON within percent-encoding': (text) => encodeURIComponent(JSON.stringify({ a: text })),
  'percent-encoding twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'all named HTML references': (text) =>
    text.replace(/./g, (each) => (each in references ? `&${references[each]};` : each)),
  'HTML references without semicolons': (text) => [...text].map((each) => `&#${each.codePointAt(0)}`).join(''),
  'HTML references with zeros': (text) =>
    [...text].map((each) => `&#${String(each.codePointAt(0)).padStart(7, '0')};`).join(''),
  'JavaScript escapes with braces': (text) =>
    padded(text, 1)
      .map((each) => `\\u{${each}}`)
      .join(''),
  'YAML escapes': (text) =>
    padded(text, 8)
      .map((each) => `\\U${each}`)
      .join(''),
  'octal escapes': (text) => [...text].map((each) => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`).join(''),
  'backslashes, as in a shell': (text) => text.replace(/[^\w.é]/g, (each) => `\\${each}`),
  'escape of JavaScript': (text) =>
    padded(text, 4)
      .map((each) => `%u${each}`)
      .join(''),
  'JSON within JSON': (text) => JSON.stringify(JSON.stringify({ a: text })),
  'JSON within JSON in base64': (text) => base64(JSON.stringify({ a: JSON.stringify({ b: text }) })),
  'base64 of JSON escapes': (text) => base64(unicode(text)),
  'base64 twice': (text) => base64(`id:${base64(text)}`),
  'base64 in lines': (text) => base64(`${'x'.repeat(40)}${text}`).replace(/.{76}/g, '$&\r\n'),
  'hex in mixed case': (text) =>
    bytesOf(text)
      .map((each, at) => (at % 2 === 0 ? each : each.toUpperCase()))
      .join(''),
  'hex with colons': (text) => bytesOf(text).join(':'),
  'hex of hex': (text) => Buffer.from(bytesOf(text).join('')).toString('hex'),
  'percent-encoded base64': (text) => encodeURIComponent(Buffer.from(`id:${text}`).toString('base64')),
  'quoted-printable': (text) => quotedPrintable(text, /^[!-<>-~ ]$/).replace(/.{10}(?==)/g, '$&=\r\n'),
  'quoted-printable of every character': (text) => quotedPrintable(text, /(?!)/),
  'quoted-printable of JSON': (text) => quotedPrintable(JSON.stringify({ a: text }), /^[\w\\]$/),
  'a list of bytes': (text) => JSON.stringify([...Buffer.from(text)]),
  'a list of bytes within a longer one': (text) => JSON.stringify([...Buffer.from(`id ${text}.`)], undefined, 1),
  'an object of bytes': (text) => JSON.stringify(new Uint8Array(Buffer.from(text))),
  'bytes of Java': (text) => JSON.stringify([...Int8Array.from(Buffer.from(text))]),
  'bytes of Go': (text) => `[${[...Buffer.from(text)].join(' ')}]`,
  'hexadecimal bytes of C': (text) =>
    bytesOf(text)
      .map((each) => `0x${each}`)
      .join(', '),
  'a list of the bytes of base64': (text) => JSON.stringify([...Buffer.from(base64(text))]),
  'gzip in base64': (text) => gzipSync(JSON.stringify({ a: text })).toString('base64'),
  'gzip in base64url within base64': (text) => base64(JSON.stringify({ a: gzipSync(text).toString('base64url') })),
  'deflate in base64': (text) => deflateSync(text).toString('base64'),
  'deflate in hex': (text) => deflateSync(text).toString('hex'),
  'gzip without its end, in base64': (text) =>
    gzipSync(`${text}${'x'.repeat(40)}`, { level: 0 })
      .subarray(0, -20)
      .toString('base64'),
};
