/** Finds the root of the repository, to which the paths in reports for CI are relative. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Folders of CI jobs in which the repository is checked out: of GitHub Actions and GitLab CI. */
const VARIABLES = ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'];

/** The folder of the CI job if it contains this folder, otherwise that of Git, otherwise the folder itself. */
export function repositoryRoot(folder: string, environment: NodeJS.ProcessEnv = process.env): string {
  const ofJob = VARIABLES.flatMap((name) => realPath(environment[name] ?? '') ?? []);
  return ofJob.find((root) => contains(root, folder)) ?? gitRoot(folder) ?? folder;
}

function realPath(folder: string): string | undefined {
  try {
    return path.isAbsolute(folder) ? realpathSync(folder) : undefined;
  } catch {
    return undefined;
  }
}

function contains(root: string, folder: string): boolean {
  const relative = path.relative(root, folder);
  return relative === '' || (!/^\.\.(?:[/\\]|$)/.test(relative) && !path.isAbsolute(relative));
}

/** `.git` is a file in a linked work tree. */
function gitRoot(folder: string): string | undefined {
  if (existsSync(path.join(folder, '.git'))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : gitRoot(parent);
}
