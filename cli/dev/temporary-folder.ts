/** Creates one temporary folder for all tests of a project, and removes it after the last test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

export default function setup({ config }: TestProject): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-tests-'));
  config.env = { ...config.env, TMPDIR: folder }; // What `tmpdir()` gives in workers, and in the processes that they start.
  return () => rmSync(folder, { recursive: true, maxRetries: 3 });
}
