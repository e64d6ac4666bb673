/** The error of a server whose port is taken, with what to do. */

export function describeListenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new Error(`Port ${port} is in use. Choose another port, or 0 for a free one.`, { cause: error });
}
