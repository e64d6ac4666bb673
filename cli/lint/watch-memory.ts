/** Watches how much memory processes take: a limit of the heap does not count what parsers allocate outside of it. */
import { readFileSync } from 'node:fs';

const INTERVAL_MS = 10;

/**
 * Calls `onExceeded` once when the processes together take more than this many MiB. Without /proc, never. Does not keep this
 * process running.
 */
export function watchMemory(pids: readonly number[], maxMiB: number, onExceeded: () => void): { clear(): void } {
  const timer = setInterval(() => {
    const bytes = pids.reduce((sum, pid) => sum + residentBytes(pid), 0);
    if (bytes <= maxMiB * 2 ** 20) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS).unref();
  return { clear: () => clearInterval(timer) };
}

/** 0 if it is unknown, or if the process has ended. */
function residentBytes(pid: number): number {
  try {
    const [, kibibytes = 0] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
  }
}
