/** The versions of Node that Prism supports, which are fewer than those that assay supports. */
import { UsageError } from './usage-error.ts';

/** Throws a UsageError if this Node is older than 24.18. `user`: the flag or command that needs Prism. */
export function requirePrismNode(user: string, version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 18)) return;
  throw new UsageError(
    `${user} needs Node 24.18 or newer, because Prism does; this is ${version}. ` +
      'Install it, or add it to this project with `npm install --save-dev node@24` and use `npx --no assay`.',
  );
}
