/** Formats numbers, times and JSON for the console. */
import type { EntryView } from '../../control/views.ts';
import { invisibleCharacters } from '../../../../spec/invisible-characters.ts';

const counts = new Intl.NumberFormat('en');
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });

export const count = (number: number): string => counts.format(number);

export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;

export const usd = (number: number): string => dollars.format(number);

/** 2026-04-16 00:00:00, UTC as everywhere. */
export const day = (time: string): string => time.slice(0, 19).replace('T', ' ');

/** 00:00:00.000 */
export const clockTime = (time: string): string => time.slice(11, 23);

/** `?name=value`, decoded. Empty without parameters. */
export const queryText = (query: EntryView['query']): string =>
  query.length === 0 ? '' : `?${query.map((pair) => pair.join('=')).join('&')}`;

/** Indents JSON; leaves other text as it is; escapes invisible characters in both. */
export function prettyJson(text: string): string {
  try {
    return escapeInvisible(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return escapeInvisible(text);
  }
}

/** Escapes invisible characters except line breaks and tabs: some would reverse the text around them. */
export const escapeInvisible = (text: string): string =>
  text.replace(invisibleCharacters, (character) =>
    /[\n\t]/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
