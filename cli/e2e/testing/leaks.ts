/** For tests: adds secrets to responses, in every encoding. */
import { encodings } from '../../../suites/testing/encodings.ts';

/** Where a target returns a secret. */
const places = [
  'body',
  'key',
  'error',
  'cursor',
  'file',
  'account',
  'header',
  'cookie',
  'cookie name',
  'cookie path',
] as const;
export type Place = (typeof places)[number];

export interface Leaks {
  /** Which encodings were sent, by place. */
  readonly sent: Readonly<Record<Place, ReadonlySet<string>>>;
  headers(): Record<string, string | string[]>;
  /** A body with leaks. `path`: of the request. */
  body(text: string, path: string): string;
  /** From now on returns no tokens issued so far: another process cannot know them. */
  forgetIssued(): void;
  /** The cursor of the mock for one that was returned. */
  ownCursor(cursor: string): string | undefined;
}

type Json = string | number | boolean | null | Json[] | Fields;
interface Fields {
  [key: string]: Json;
}
const isFields = (json: Json | undefined): json is Fields =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const names = Object.keys(encodings);

/** Precedes each encoding, so that it can be recognized when it is redacted. */
export const marker = (encoding: string): string => `L${names.indexOf(encoding)}.`;

/** A longer head would be refused, and a token in that response would remain unknown. */
const MAX_IN_HEADER = 2000;

const inHeader = (text: string): boolean => text.length <= MAX_IN_HEADER && /^[\x20-\x7e]*$/.test(text);
const inCookie = (text: string): boolean => inHeader(text) && /^[^;,=\s]*$/.test(text);

/** `secrets`: tokens that the target issues are added. `id`: of the client. */
export function createLeaks(secrets: string[], id: string): Leaks {
  const sent = Object.fromEntries(places.map((place) => [place, new Set<string>()])) as Record<Place, Set<string>>;
  const own = [...secrets];
  let returned = [...own];
  const turns = new Map<Place, number>();
  const cursors = new Map<string, string>();

  /** The next encoding of the next secret that the place can hold. */
  function leak(place: Place, fits: (text: string) => boolean = () => true): string {
    for (;;) {
      const turn = (turns.get(place) ?? 0) + 1;
      turns.set(place, turn);
      const name = names[turn % names.length] ?? '';
      const secret = returned[Math.floor(turn / names.length) % returned.length] ?? '';
      const text = encodings[name]!(turn % 5 === 0 ? `${id}:${secret}` : secret);
      if (!fits(text)) continue;
      sent[place].add(name);
      return `${marker(name)}${text}`;
    }
  }

  function nextPage(meta: Fields): Fields {
    if (typeof meta['nextCursor'] !== 'string') return meta;
    const cursor = leak('cursor');
    cursors.set(cursor, meta['nextCursor']);
    return { ...meta, nextCursor: cursor };
  }

  function inJson(json: Json, path: string): Json {
    if (Array.isArray(json)) {
      if (path === '/v0/accounts') return [...json, ...Array.from({ length: 12 }, () => ({ id: leak('account') }))];
      return json.map((each) => inJson(each, path));
    }
    if (!isFields(json)) return json;
    const fields = { ...json };
    if (typeof fields['access_token'] === 'string') {
      secrets.push(fields['access_token']);
      returned.push(fields['access_token']);
    }
    for (const name of ['error', 'message', 'error_description'])
      if (typeof fields[name] === 'string') fields[name] = `${fields[name]} ${leak('error')}`;
    if (isFields(fields['meta'])) fields['meta'] = nextPage(fields['meta']);
    for (const name of ['files', 'subdirectories']) {
      const list = fields[name];
      if (Array.isArray(list)) fields[name] = [...list, { name: leak('file'), path: `/tmp/${leak('file')}`, size: 1 }];
    }
    if (typeof fields['status'] === 'string') fields['status'] = leak('body');
    return { ...fields, 'x-leaks': [leak('body'), leak('body')], [leak('key')]: 1 };
  }

  return {
    sent,
    headers: () => ({
      'x-leak': leak('header', inHeader),
      'x-other-leak': leak('header', inHeader),
      'set-cookie': [
        `sid=${leak('cookie', inCookie)}, comma; Path=/; HttpOnly`,
        `${leak('cookie name', inCookie)}=1; Path=/${leak('cookie path', inCookie)}`,
      ],
    }),
    body(text, path) {
      if (text === '') return text;
      try {
        return JSON.stringify(inJson(JSON.parse(text) as Json, path));
      } catch {
        return `${text} ${leak('body')}`;
      }
    },
    forgetIssued: () => void (returned = [...own]),
    ownCursor: (cursor) => cursors.get(cursor),
  };
}
