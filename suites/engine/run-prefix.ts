/** The prefix of the names of everything that a run creates. */
export const prefixOf = (runId: string): string => `assay-${runId}-`;
