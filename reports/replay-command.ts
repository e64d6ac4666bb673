/** How a person names a report's folder, and the command that tries a failed case of it again. */
import path from 'node:path';
import type { Report } from '../spec/verdicts.ts';
import { printable } from './printable.ts';

/** As a person in this working directory would name it. */
export const shownFolder = (folder: string): string =>
  folder.startsWith(process.cwd() + path.sep) ? path.relative('.', folder) : folder;

/**
 * To paste into a shell, with the leave and the target that the run had; but for a target from neither a file nor an address, and for
 * paths that no line shows as they are.
 */
export function replayCommand({ run, target }: Pick<Report, 'run' | 'target'>, folder: string, id: string): string {
  const words = [pastable(shownFolder(folder)) ?? 'FOLDER', id, ...targetWords(run)];
  const allow = target.allow === 'read' ? [] : ['--allow', target.allow];
  return `npx assay replay ${[...words, ...allow].map(shellWord).join(' ')}`;
}

function targetWords({ targetFile, baseUrl }: Report['run']): string[] {
  const address = pastable(baseUrl);
  return address === undefined ? ['--target', pastable(targetFile) ?? 'FILE'] : ['--base-url', address];
}

const pastable = (file: string | undefined): string | undefined =>
  file === undefined || printable(file) !== file ? undefined : file;

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
