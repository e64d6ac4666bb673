/** Curl commands that repeat requests, with credentials as shell variables. */
import type { SentRequest } from './exchange.ts';

/** Longer bodies are omitted from the command line (Linux allows 128 KiB per argument). */
const MAX_BODY_LENGTH = 100_000;
const placeholder = /(\$[A-Za-z_][A-Za-z0-9_]*)/;

const needsDollarQuotes = (text: string): boolean => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

const dollarQuoted = (text: string): string =>
  `$'${text
    .replace(/[\\']/g, String.raw`\$&`)
    .replace(/[^\x20-\x7e]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    )}'`;

const singleQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Quotes one word for a POSIX shell. Known placeholders expand, everything else is literal. */
export function shellWord(text: string, placeholders: ReadonlySet<string>): string {
  if (text === '') return "''";
  const parts = text.split(placeholder).filter((part) => part !== '');
  return parts
    .map((part) => {
      if (placeholders.has(part)) return `"${part}"`;
      if (needsDollarQuotes(part)) return dollarQuoted(part);
      return /^[\w@%+=:,./-]+$/.test(part) ? part : singleQuoted(part);
    })
    .join('');
}

function bodyArguments(request: SentRequest, placeholders: ReadonlySet<string>): { before: string; words: string[] } {
  const { body } = request;
  if (body === undefined) return { before: '', words: [] };
  if (body.length > MAX_BODY_LENGTH) return { before: '', words: ['--data-binary', '@body.json'] };
  if (!request.bytes && !body.includes('\0'))
    return { before: '', words: ['--data-raw', shellWord(body, placeholders)] };
  const octal = [...Buffer.from(body, request.bytes ? 'latin1' : 'utf8')].map(
    (byte) => `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return { before: `printf '${octal.join('')}' | `, words: ['--data-binary', '@-'] };
}

function headerArguments(request: SentRequest, placeholders: ReadonlySet<string>): string[] {
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

function methodArguments({ method, body }: SentRequest, placeholders: ReadonlySet<string>): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === 'GET' && body === undefined ? [] : ['-X', shellWord(method, placeholders)];
}

/** `placeholders` are the names of secrets, with $. `without` is the reason why the body is omitted. */
export function curlLine(sent: SentRequest, placeholders: ReadonlySet<string>, omittedBodyReason?: string): string {
  const { command, comment } = curlCommand(sent, placeholders, omittedBodyReason);
  return `${command}${comment}`;
}

export interface Command {
  readonly command: string;
  /** Empty if there is no comment. */
  readonly comment: string;
}

/** Like `curlLine`, with the comment separate. */
export function curlCommand(sent: SentRequest, placeholders: ReadonlySet<string>, omittedBodyReason?: string): Command {
  const { body: _, ...bare } = sent;
  // With --head curl sends HEAD and no body.
  const isHead = sent.method === 'HEAD';
  const request: SentRequest = isHead ? bare : sent;
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
  const notes = [
    ...([...placeholders].some((name) => command.includes(`"${name}"`)) ? ['credentials as $SVC_…'] : []),
    ...(words[1] === '@body.json'
      ? [`body.json: ${request.body?.length ?? 0} characters, begins ${JSON.stringify(request.body?.slice(0, 60))}`]
      : []),
    ...(noBodyReason === undefined ? [] : [`the body is omitted: ${noBodyReason}`]),
  ];
  return { command, comment: notes.length === 0 ? '' : `  # ${notes.join('; ')}` };
}
