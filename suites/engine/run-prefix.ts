/** The prefix of the names of everything that a run creates, and the name that it never uses. */
export const prefixOf = (runId: string): string => `assay-${runId}-`;

/** Whether a name looks like one that a run has given. */
export const isRunName = (name: string): boolean => /^assay-[a-z0-9]+-/.test(name);

/** What nothing on the target is ever called: requests that name it are always refused. */
export const unknownNameOf = (prefix: string): string => `${prefix}none`;
