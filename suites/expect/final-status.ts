/** The statuses in which a deployment stays (interface: States and transitions). */
const finalStatuses: ReadonlySet<unknown> = new Set(['DEPLOYED', 'FAILED', 'DEACTIVATED', 'TERMINATED']);

/** False for an absent status. */
export const isFinalStatus = (status: unknown): boolean => finalStatuses.has(status);
