/** The account that a request or a rule needs. */
import { NotTried } from './violation.ts';
import type { Target } from './target.ts';

/** Throws NotTried if it is unknown, with what GET /accounts returned. */
export function neededAccount({ account, accountObstacle }: Target): string {
  if (account !== undefined) return account;
  const why = accountObstacle === undefined ? '' : ` (${accountObstacle})`;
  const advice = 'set account in the target file, or let GET /accounts list it for a credential of the file';
  throw new NotTried(`the account of the target${why}: ${advice}`, 'account');
}
