/** Creates that are refused for what the account may have, not for what they ask. */
import type { Exchange } from '../target/client.ts';

/** Payment required, forbidden by the plan, no room: a full quota may be answered in any of these. 429 is waited for, and then trouble. */
const USED_UP: ReadonlySet<number> = new Set([402, 403, 507]);

export const isUsedUp = ({ answer }: Exchange): boolean => USED_UP.has(answer.status);
