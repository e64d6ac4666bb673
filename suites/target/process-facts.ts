/** Distinguishes a process from a later one with the same id. */
import { readFileSync } from 'node:fs';

export interface ProcessFacts {
  /** Its start time, in clock ticks since boot. */
  start: string;
  /** It is a zombie: it has exited, but its parent has not read its status. */
  hasExited: boolean;
}

/** Undefined if there is no such process, or no /proc. */
export function processFacts(pid: number): ProcessFacts | undefined {
  const stat = statOf(pid);
  // After the name in parentheses, which may contain any character: the fields from the third on (proc_pid_stat(5)).
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
