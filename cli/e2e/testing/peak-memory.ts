/** For tests: the most memory that a process and its children have used. */
import { readdirSync, readFileSync } from 'node:fs';

/** Whether it can be measured. */
export const hasProc = process.platform === 'linux' && readdirSync('/proc').includes('self');

const INTERVAL_MS = 20;

/** Measures until `stop`, which returns MiB: 0 without /proc. */
export function measureMemory(pid: number): { stop(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    try {
      if (hasProc) peak = Math.max(peak, peakMemory(pid));
    } catch {
      // It has just ended.
    }
  }, INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** By the kernel's own record of the peak. Of the process and its children, which run at the same time. */
function peakMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return Number(kibibytes ?? 0) / 1024 + children.reduce((sum, child) => sum + peakMemory(Number(child)), 0);
}
