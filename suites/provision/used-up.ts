/** Creates that are refused for what the account may have, not for what they ask. */
import type { Exchange } from '../target/client.ts';

/** Payment required, forbidden by the plan, too many, no room: a full quota is answered in any of these. */
const USED_UP: ReadonlySet<number> = new Set([402, 403, 429, 507]);

export const isUsedUp = ({ answer }: Exchange): boolean => USED_UP.has(answer.status);
