/** Keeps Spectral's parser of YAML from reading past the end of a text, and on forever, if an escape in its last lines lacks digits. */

/** In double quotes a mistake. Elsewhere it is text. */
const INCOMPLETE_ESCAPE = /\\(?!x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})[xuU]/;

export const mayLackDigits = (text: string): boolean => INCOMPLETE_ESCAPE.test(text);

/** An escape has at most eight digits, and for each missing one the parser skips to the next line. */
const ROOM = '\n#'.repeat(10);

/** The text, with empty comments after it if it needs them. */
export const withRoomAtEnd = (text: string): string => (mayLackDigits(text) ? text + ROOM : text);
