/** The error of a server whose port is taken, with what to do. */

/** Keeps `code` and `syscall`, by which callers recognize that a server could not listen. */
export function describeListenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  const { code, syscall } = error;
  const advice = `Port ${port} is in use: choose another one, or use --port 0 (in code: port 0), which picks a free one.`;
  return Object.assign(new Error(advice, { cause: error }), { code, syscall });
}
