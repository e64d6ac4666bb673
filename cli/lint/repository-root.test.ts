import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repositoryRoot } from './repository-root.ts';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'assay-root-')));
afterAll(() => rmSync(base, { recursive: true }));
const at = (...names: string[]): string => path.join(base, ...names);
mkdirSync(at('work', 'repository', '.git'), { recursive: true });
mkdirSync(at('work', 'repository', 'packages', 'api'), { recursive: true });
mkdirSync(at('elsewhere'));
symlinkSync(at('work'), at('link'));
const folder = at('work', 'repository', 'packages', 'api');

test.each<[string, NodeJS.ProcessEnv, string, string]>([
  ['the workspace of GitHub Actions', { GITHUB_WORKSPACE: at('work') }, folder, at('work')],
  ['the workspace through a link', { GITHUB_WORKSPACE: at('link') }, folder, at('work')],
  ['the folder of GitLab CI', { CI_PROJECT_DIR: at('work') }, folder, at('work')],
  ['the root of Git without CI', {}, folder, at('work', 'repository')],
  ['the root of Git in another workspace', { GITHUB_WORKSPACE: at('elsewhere') }, folder, at('work', 'repository')],
  ['the root of Git if the variable is no folder', { CI_PROJECT_DIR: at('none') }, folder, at('work', 'repository')],
  ['the folder itself without a repository', { GITHUB_WORKSPACE: '' }, at('elsewhere'), at('elsewhere')],
])('paths are relative to %s', (_what, environment, from, root) => {
  expect(repositoryRoot(from, environment)).toBe(root);
});
