/** Opens a page in the browser of the user, if there is one to see it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '../../suites/target/environment.ts';

export interface BrowserEnvironment {
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
  /** Whether the output of the command is a terminal. */
  readonly isTerminal: boolean;
}

/** By platform; each takes a file as its argument. On Windows, `start` would be interpreted by a shell, unlike this. */
const openers: { readonly [P in NodeJS.Platform]?: string } = {
  darwin: 'open',
  win32: 'explorer.exe',
  linux: 'xdg-open',
};

/** The program that opens a page. Undefined if nobody could see it: in CI, in a pipe, without a display. */
export function openerFor({ platform, environment, isTerminal }: BrowserEnvironment): string | undefined {
  const isSet = (...names: string[]): boolean => names.some((name) => (environment[name] ?? '') !== '');
  if (!isTerminal || isSet('CI')) return undefined;
  const hasDisplay = platform === 'linux' ? isSet('DISPLAY', 'WAYLAND_DISPLAY') : !isSet('SSH_CONNECTION');
  return hasDisplay ? openers[platform] : undefined;
}

/** Does not wait until the page is closed. Returns whether the program could be started. */
export async function openPage(opener: string, file: string): Promise<boolean> {
  // Without a shell, and the path is absolute, so it is neither interpreted nor taken for an option.
  const child = spawn(opener, [file], { detached: true, stdio: 'ignore' });
  try {
    await once(child, 'spawn');
  } catch {
    return false;
  }
  child.unref();
  return true;
}
