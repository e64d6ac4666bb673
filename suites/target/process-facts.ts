/** What tells a process from another one that has its number later. */
import { readFileSync } from 'node:fs';

export interface ProcessFacts {
  /** When it began, in ticks since the machine did. */
  start: string;
  /** It is over, and only waits for its parent to hear of it. */
  hasExited: boolean;
}

/** undefined where there is no such process, and on systems without /proc. */
export function processFacts(pid: number): ProcessFacts | undefined {
  const stat = statOf(pid);
  // Behind the name, which may hold anything, in parentheses: the third field and on (proc_pid_stat(5)).
  const [state = '', ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const start = fields[18];
  return start === undefined ? undefined : { start, hasExited: state === 'Z' || state === 'X' };
}

function statOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}
