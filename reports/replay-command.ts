/** How a person names a report's folder, and the commands that go on from there, to paste into a shell. */
import path from 'node:path';
import type { Report } from '../spec/verdicts.ts';
import { printable } from './printable.ts';

/** As a person in this working directory would name it. */
export const shownFolder = (folder: string): string =>
  folder.startsWith(process.cwd() + path.sep) ? path.relative('.', folder) : folder;

/** What the run was given; neither where no command could give it again. */
export type NamedTarget = Pick<Report['run'], 'targetFile' | 'baseUrl'>;

/** Tries a failed case again with what the run was allowed; paths that no line shows as they are, and a target without a name, are left open. */
export function replayCommand({ run, target }: Pick<Report, 'run' | 'target'>, folder: string, id: string): string {
  const allow = target.allow === 'read' ? [] : ['--allow', target.allow];
  return command('replay', [folderWord(folder), id, ...targetWords(run), ...allow]);
}

/** Undoes what is left of the run. */
export const sweepCommand = (target: NamedTarget, folder: string): string =>
  command('sweep', [...targetWords(target), '--report', folderWord(folder)]);

const command = (name: string, words: readonly string[]): string =>
  ['npx assay', name, ...words.map(shellWord)].join(' ');

const folderWord = (folder: string): string => pastable(shownFolder(folder)) ?? 'FOLDER';

function targetWords({ targetFile, baseUrl }: NamedTarget): string[] {
  const address = pastable(baseUrl);
  return address === undefined ? ['--target', pastable(targetFile) ?? 'FILE'] : ['--base-url', address];
}

const pastable = (file: string | undefined): string | undefined =>
  file === undefined || printable(file) !== file ? undefined : file;

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
