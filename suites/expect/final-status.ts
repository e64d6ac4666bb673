/** The statuses that a deployment comes to (interface: States and transitions); all others pass. */
const finalStatuses: ReadonlySet<unknown> = new Set(['DEPLOYED', 'FAILED', 'DEACTIVATED', 'TERMINATED']);

/** False for a status that is not shown. */
export const isFinalStatus = (status: unknown): boolean => finalStatuses.has(status);
