/** For tests: runs the command as a separate process, as a user does. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TargetFile } from '../../../spec/formats/target-file.ts';

export const assay = path.join(import.meta.dirname, '../../assay.mjs');

export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'assay-test-'));

export interface Options {
  input?: string;
  env?: Record<string, string>;
  cwd?: string;
  /** The file of the command. Defaults to that of this project. */
  file?: string;
  /** In its own process group, whose id is that of the process. */
  detached?: boolean;
  onStart?: (child: ChildProcess) => void;
}

export interface Ended {
  /** null where a signal ended it. */
  code: number | null;
  /** Both streams, as they came. */
  out: string;
}

export function run(words: readonly string[], options: Options = {}): Promise<Ended> {
  const { input = '', env = {}, cwd = newFolder(), file = assay, detached = false, onStart } = options;
  return new Promise((resolve) => {
    const { ASSAY_TARGET: _, ...inherited } = process.env;
    const started = { cwd, detached, env: { ...inherited, ...env, NO_COLOR: '1' } };
    const child = spawn(process.execPath, [file, ...words], started);
    onStart?.(child);
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.on('close', (code) => resolve({ code, out }));
    child.stdin.end(input);
  });
}

/** The flags of a run that tries no other rules. */
export const onlyThese = (...globs: string[]): string[] => globs.flatMap((glob) => ['--only', glob]);

/** Gives its path. */
export function targetFile(target: TargetFile): string {
  const file = path.join(newFolder(), 'target.json');
  writeFileSync(file, JSON.stringify(target));
  return file;
}
