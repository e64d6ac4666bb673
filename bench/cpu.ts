/** The CPU time of this thread, in milliseconds: other processes and concurrent garbage collection do not count. */
export function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
