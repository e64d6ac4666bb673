/** Curl commands that repeat requests, with credentials as shell variables, for any POSIX shell (dash, bash, zsh, busybox). */

/** What a command repeats. */
export interface RepeatedRequest {
  readonly method: string;
  readonly url: string;
  /** Names as sent. An array is sent as one header line per element. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** The body is not valid UTF-8: `body` has one character per byte. */
  readonly bytes?: true;
}

/** Longer bodies are omitted from the command line (Linux allows 128 KiB per argument). */
export const MAX_BODY_LENGTH = 100_000;
const placeholder = /(\$[A-Za-z_][A-Za-z0-9_]*)/;

/** Control, formatting and separator characters: a terminal may interpret them, and they hide what a line does. */
const needsEscapes = (text: string): boolean => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

/** A format of printf (POSIX) that prints these bytes: octal escapes for all but plain characters. */
const printfFormat = (bytes: Uint8Array): string =>
  [...bytes]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w .,:;/{}"=@]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');

/** One byte per character. */
const latin1Bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** `$'…'` is not POSIX: dash would expand what is in it. The text must not end with a newline, which `$(…)` removes. */
const printed = (text: string): string => `"$(printf '${printfFormat(new TextEncoder().encode(text))}')"`;

const singleQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Quotes one word for a POSIX shell. Known placeholders expand, everything else is literal. */
export function shellWord(text: string, placeholders: ReadonlySet<string>): string {
  if (text === '') return "''";
  const parts = text.split(placeholder).filter((part) => part !== '');
  return parts
    .map((part) => {
      if (placeholders.has(part)) return `"${part}"`;
      if (needsEscapes(part)) return printed(part);
      return /^[\w@%+=:,./-]+$/.test(part) ? part : singleQuoted(part);
    })
    .join('');
}

function bodyArguments(
  request: RepeatedRequest,
  placeholders: ReadonlySet<string>,
): { before: string; words: string[] } {
  const { body } = request;
  if (body === undefined) return { before: '', words: [] };
  if (body.length > MAX_BODY_LENGTH) return { before: '', words: ['--data-binary', '@body.json'] };
  if (!request.bytes && !/\0|\n$/.test(body) && !endsPartWithNewline(body, placeholders))
    return { before: '', words: ['--data-raw', shellWord(body, placeholders)] };
  return { before: `${printfCommand(request, body, placeholders)} | `, words: ['--data-binary', '@-'] };
}

const endsPartWithNewline = (body: string, placeholders: ReadonlySet<string>): boolean =>
  body.split(placeholder).some((part, index, parts) => part.endsWith('\n') && placeholders.has(parts[index + 1] ?? ''));

/** Prints the body; credentials are arguments of the format. */
function printfCommand(request: RepeatedRequest, body: string, placeholders: ReadonlySet<string>): string {
  const parts = body.split(placeholder);
  const formats = parts.map((part) =>
    placeholders.has(part) ? '%s' : printfFormat(request.bytes ? latin1Bytes(part) : new TextEncoder().encode(part)),
  );
  const used = parts.filter((part) => placeholders.has(part)).map((part) => ` "${part}"`);
  return `printf '${formats.join('')}'${used.join('')}`;
}

function headerArguments(request: RepeatedRequest, placeholders: ReadonlySet<string>): string[] {
  const lines = Object.entries(request.headers).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each] as const),
  );
  const words = lines.flatMap(([name, value]) => [
    '-H',
    shellWord(value === '' ? `${name};` : `${name}: ${value}`, placeholders),
  ]);
  const hasContentType = lines.some(([name]) => name.toLowerCase() === 'content-type');
  if (request.body !== undefined && !hasContentType) words.push('-H', 'Content-Type:'); // otherwise curl sends it as a form
  return words;
}

function methodArguments({ method, body }: RepeatedRequest, placeholders: ReadonlySet<string>): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === 'GET' && body === undefined ? [] : ['-X', shellWord(method, placeholders)];
}

/** The command, after its comment if there is one. `placeholders` are the names of secrets, with $. */
export function curlLine(sent: RepeatedRequest, placeholders: ReadonlySet<string>, omittedBodyReason?: string): string {
  const { command, comment } = curlCommand(sent, placeholders, omittedBodyReason);
  return `${comment}${command}`;
}

export interface Command {
  readonly command: string;
  /** A line of its own with its line end, because zsh would pass a comment to curl as further addresses. Empty if there is none. */
  readonly comment: string;
}

/** Like `curlLine`, with the comment separate. */
export function curlCommand(
  sent: RepeatedRequest,
  placeholders: ReadonlySet<string>,
  omittedBodyReason?: string,
): Command {
  const { body: _, ...bare } = sent;
  // With --head curl sends HEAD and no body.
  const isHead = sent.method === 'HEAD';
  const request: RepeatedRequest = isHead ? bare : sent;
  const noBodyReason =
    omittedBodyReason ?? (isHead && sent.body !== undefined ? 'curl sends none with HEAD' : undefined);
  const pathAsIs = /\/\.\.?(\/|$|\?|%)/.test(request.url) ? ['--path-as-is'] : [];
  const glob = /[[\]{}]/.test(request.url) ? ['-g'] : [];
  const { before, words } = bodyArguments(request, placeholders);
  const command = [
    `${before}curl -sS -i`,
    ...glob,
    ...pathAsIs,
    ...methodArguments(request, placeholders),
    shellWord(request.url, placeholders),
    ...headerArguments(request, placeholders),
    ...words,
  ].join(' ');
  const used = [...placeholders].filter((name) => command.includes(`"${name}"`));
  const notes = [
    ...(used.length > 0 ? [`set ${familiesOf(used)} to the credentials`] : []),
    ...(words[1] === '@body.json' ? [`body.json: ${request.body?.length ?? 0} characters`] : []),
    ...(noBodyReason === undefined ? [] : [`the body is omitted: ${noBodyReason}`]),
  ];
  return { command, comment: notes.length === 0 ? '' : `# ${notes.join('; ')}\n` };
}

/** `$SVC_…` for all names that begin with `$SVC_`. */
const familiesOf = (names: readonly string[]): string =>
  [...new Set(names.map((name) => name.replace(/(?<=_).*/, '…')))].join(', ');
