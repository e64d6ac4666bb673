/** The addresses of a world. */

/** Base URLs, all without a trailing slash. */
export interface Addresses {
  /** With the path prefix v0. */
  readonly management: string;
  readonly host: string;
  readonly inference: string;
}

/** Whether a sandbox has its own host name or a path below the mock's address. */
export type SandboxUrls = 'host' | 'path';

/** Where a world is served, whatever its addresses are. */
export interface Mount {
  /** The port that the mock listens on. */
  readonly port: number;
  /** Path prefix of the world; empty for the first world of a port. */
  readonly path: string;
  /** Whether `--public-url` sets the addresses. */
  readonly isPublic: boolean;
}
