/** Installs packages from npm in a temporary folder, next to the programs that use them. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Exact versions by name. */
export type Dependencies = Readonly<Record<string, string>>;

const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error'];

/** Copies the files of `fixtures/<name>`, if there are any, to the folder. Throws if a package cannot be installed. */
export function installPackages(name: string, dependencies: Dependencies): Disposable & { readonly path: string } {
  const folder = mkdtempDisposableSync(path.join(tmpdir(), `assay-${name}-`));
  const programs = path.join(import.meta.dirname, '../../fixtures', name);
  if (existsSync(programs)) cpSync(programs, folder.path, { recursive: true });
  writeFileSync(
    path.join(folder.path, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  const { status } = spawnSync('npm', words, { cwd: folder.path, stdio: 'inherit' });
  if (status === 0) return folder;
  folder.remove();
  throw new Error('The packages could not be installed.');
}
