/** The encodings in which a secret may occur in a text: percent, form, JSON and HTML escapes of any characters, base64 and hex. */

/** Shorter parts of base64 could occur by chance. */
const MIN_CORE_LENGTH = 10;

/** Texts that a literal search finds: the secret itself, and encodings of the whole secret. */
export function literalEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const cores = [secret, JSON.stringify(secret).slice(1, -1)].flatMap((text) => base64Cores(Buffer.from(text)));
  return [secret, ...cores, bytes.toString('hex'), bytes.toString('hex').toUpperCase()].filter(
    (each, index) => index === 0 || each.length >= MIN_CORE_LENGTH,
  );
}

/**
 * The part of base64 and base64url that depends only on the secret, wherever it begins within a longer text, such as `id:secret`
 * or a cursor.
 */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters may contain bits of neighbours.
    const from = offset === 0 ? 0 : offset + 1;
    const isWhole = (offset + bytes.length) % 3 === 0;
    const core = encoded.slice(from, isWhole ? undefined : -1);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Percent-encoding, escapes of JSON and JavaScript, and references of HTML. */
const escape =
  /((?:%[0-9a-f]{2})+)|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(["'\\/])|&#x([0-9a-f]{1,6});|&#([0-9]{1,7});|&([a-z]{2,4});/gi;

const fromCode = (code: number): string => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : '');

/** Decodes every escape once. */
const decodeOnce = (text: string): string =>
  text.replace(escape, (whole, ...groups: (string | undefined)[]) => {
    const [percent, unicode, byte, character, hex, decimal, name] = groups;
    if (percent !== undefined) return Buffer.from(percent.replaceAll('%', ''), 'hex').toString();
    const code = unicode ?? byte ?? hex;
    if (code !== undefined) return fromCode(parseInt(code, 16));
    if (decimal !== undefined) return fromCode(Number(decimal));
    return character ?? named[name?.toLowerCase() ?? ''] ?? whole;
  });

/** Escapes may be nested, such as JSON within a query. */
const MAX_NESTING = 3;

/** The decoded forms of a text, without the text itself. Empty if it contains no escapes. */
export function decodedForms(text: string): string[] {
  const forms = new Set<string>();
  let decoded = text;
  for (let depth = 0; depth < MAX_NESTING && /[%\\&]/.test(decoded); depth += 1) {
    decoded = decodeOnce(decoded);
    forms.add(decoded);
  }
  // Form encoding writes a space as +.
  if (text.includes('+')) forms.add(decodeOnce(text.replaceAll('+', '%20')));
  forms.delete(text);
  return [...forms];
}

/** Matches the secret with any of its characters escaped once, in any mixture. */
export function escapedPattern(secret: string): string {
  return [...secret].map(characterPattern).join('');
}

function characterPattern(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = (radix: number, width = 0) => code.toString(radix).padStart(width, '0');
  const bytes = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const entity = Object.entries(named).find(([, value]) => value === character)?.[0];
  const forms = [
    literal(character),
    anyCase(bytes),
    units.map((unit) => `\\\\u${anyCase(unit.toString(16).padStart(4, '0'))}`).join(''),
    `&#[xX]0*${anyCase(digits(16))};`,
    `&#0*${digits(10)};`,
    ...(code < 256 ? [`\\\\x${anyCase(digits(16, 2))}`] : []),
    ...(/["'\\/]/.test(character) ? [`\\\\${literal(character)}`] : []),
    ...(entity === undefined ? [] : [`&${entity};`]),
    ...(character === ' ' ? ['\\+'] : []),
  ];
  return `(?:${forms.join('|')})`;
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

const anyCase = (hex: string): string =>
  hex.replace(/[a-f]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
