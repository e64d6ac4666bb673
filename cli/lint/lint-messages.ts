/** What the child process that lints sends to its parent. */

export type LintMessage =
  /** The result is complete and is being written, which may take as long as its reader needs. */
  | { readonly writing: true }
  | { readonly code: number }
  /** A usage error. */
  | { readonly usage: string }
  | { readonly outOfMemory: true };
