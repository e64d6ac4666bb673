/** Commands for replaying a rule and sweeping a run, safe to paste into a shell. */
import path from 'node:path';
import type { Report } from '../spec/verdicts.ts';
import { escapeControls } from './printable.ts';

/** Relative to the working directory if it is inside it. */
export const displayFolder = (folder: string): string =>
  folder.startsWith(process.cwd() + path.sep) ? path.relative('.', folder) : folder;

/**
 * The options that named the target, possibly both; neither if the target cannot be named by an option. `mock`: the flags of
 * the mock that ended with the run; a new one is started instead.
 */
export type TargetOptions = Pick<Report['run'], 'targetFile' | 'baseUrl' | 'mock'>;

/** Replays a failed case with the run's allow level, patience, maximum body, rate and chosen operations. Unprintable paths and unnamed targets become placeholders. */
export function replayCommand({ run, target }: Pick<Report, 'run' | 'target'>, folder: string, id: string): string {
  const allow = target.allow === 'read' ? [] : ['--allow', target.allow];
  const patience = run.patience === undefined ? [] : ['--patience', String(run.patience)];
  const maxBody = run.maxBody === undefined ? [] : ['--max-body', String(run.maxBody)];
  const rate = run.rate === undefined ? [] : ['--rate', String(run.rate)];
  const operations = run.chosenOperations === true ? (run.operations ?? []) : [];
  const chosen = operations.flatMap((each) => ['--operation', each]);
  return command('replay', run, [folderArgument(folder), id], [...allow, ...patience, ...maxBody, ...rate, ...chosen]);
}

/** Removes what the run left behind; without a folder, what all runs left whose reports are in the default folder. */
export const sweepCommand = (target: TargetOptions, folder?: string): string =>
  command('sweep', target, [], folder === undefined ? [] : ['--report', folderArgument(folder)]);

function command(name: string, target: TargetOptions, before: readonly string[], after: readonly string[]): string {
  const { mock } = target;
  if (mock === undefined) return commandLine(['assay', name, ...before, ...targetArguments(target), ...after]);
  return `${commandLine(['assay', 'mock', ...mock.map(printableWord)])} -- ${commandLine(['assay', name, ...before, ...after])}`;
}

const commandLine = (words: readonly string[]): string => ['npx', '--no', ...words.map(quoteForShell)].join(' ');

const printableWord = (word: string): string => undefinedIfUnprintable(word) ?? 'FILE';

const folderArgument = (folder: string): string => undefinedIfUnprintable(displayFolder(folder)) ?? 'FOLDER';

function targetArguments({ targetFile, baseUrl }: TargetOptions): string[] {
  const address = undefinedIfUnprintable(baseUrl);
  const base = address === undefined ? [] : ['--base-url', address];
  const needsFile = targetFile !== undefined || address === undefined;
  return needsFile ? ['--target', undefinedIfUnprintable(targetFile) ?? 'FILE', ...base] : base;
}

/** A file as an argument of a printed command. */
export const quoteFile = (file: string): string => quoteForShell(printableWord(file));

const undefinedIfUnprintable = (file: string | undefined): string | undefined =>
  file === undefined || escapeControls(file) !== file ? undefined : file;

const quoteForShell = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
