/** Removes the type declarations of a build that the entry points of the package do not reach. */
import { globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** `entries`: paths of the declaration files that package.json names. */
export function removePrivateTypes(dist: string, entries: readonly string[]): void {
  const isPublic = reachedFrom(entries);
  for (const file of globSync('**/*.d.{ts,mts}', { cwd: dist }))
    if (!isPublic.has(path.join(dist, file))) rmSync(path.join(dist, file));
}

function reachedFrom(entries: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...declarationsImportedBy(file));
  }
  return reached;
}

function declarationsImportedBy(file: string): string[] {
  const imported = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.(m?)[jt]sx?['"]/g);
  return [...imported].map(([, name = '', m = '']) => path.join(path.dirname(file), `${name}.d.${m}ts`));
}
