/** How a person names a report's folder, and the command that tries a failed case of it again. */
import path from 'node:path';

/** As a person in this working directory would name it. */
export const shownFolder = (folder: string): string =>
  folder.startsWith(process.cwd() + path.sep) ? path.relative('.', folder) : folder;

/** To paste into a shell, but for the target. */
export const replayCommand = (folder: string, id: string): string =>
  `npx assay replay ${[shownFolder(folder), id].map(shellWord).join(' ')} --target FILE`;

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
