/** For tests: the encodings in which a target may return a secret. */
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicode = (text: string): string =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const html = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[each]!);

export const encodings: Readonly<Record<string, (text: string) => string>> = {
  itself: (text) => text,
  'percent-encoding': encodeURIComponent,
  'percent-encoding in lower case': (text) => encodeURIComponent(text).replace(/%../g, (each) => each.toLowerCase()),
  'percent-encoding of every character': percent,
  'percent-encoding of every character in upper case': (text) => percent(text).toUpperCase().replaceAll('%5CU', '%5Cu'),
  'form encoding': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'a JSON string': (text) => JSON.stringify(text),
  'a JSON string with escaped slashes': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  'JSON within JSON': (text) => JSON.stringify(JSON.stringify({ a: text })),
  'JSON escapes of every character': unicode,
  'JSON escapes in upper case': (text) =>
    unicode(text).replace(/\\u..../g, (each) => `\\u${each.slice(2).toUpperCase()}`),
  'HTML entities': html,
  'decimal HTML references': (text) => [...text].map((each) => `&#${each.codePointAt(0)};`).join(''),
  'hexadecimal HTML references': (text) => [...text].map((each) => `&#x${each.codePointAt(0)?.toString(16)};`).join(''),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 of id:secret': (text) => Buffer.from(`client:${text}`).toString('base64'),
  'base64 of other lengths before it': (text) => Buffer.from(`ab${text}`).toString('base64'),
  'base64 of JSON, as in a cursor': (text) =>
    Buffer.from(JSON.stringify({ after: 1, by: 'x', of: ['x.y.z', text] })).toString('base64'),
  'base64 of a form': (text) =>
    Buffer.from(new URLSearchParams({ id: 'me', secret: text }).toString()).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'HTML references with zeros': (text) =>
    [...text].map((each) => `&#${String(each.codePointAt(0)).padStart(7, '0')};`).join(''),
  'hex in mixed case': (text) =>
    Buffer.from(text)
      .toString('hex')
      .replace(/(..)(..)/g, (_, first: string, second: string) => first + second.toUpperCase()),
  'percent-encoded base64': (text) => encodeURIComponent(Buffer.from(`id:${text}`).toString('base64')),
};
