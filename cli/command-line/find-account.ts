/** Reads the account of a target, whose failure ends neither `doctor` nor `init`. */
import { readAccount } from '../../suites/target/account.ts';
import type { AccessWarning, ReadAccount } from '../../suites/target/account.ts';
import type { Target } from '../../suites/target/target.ts';
import { HarnessError } from '../../suites/target/transport.ts';
import type { Transport } from '../../suites/target/transport.ts';
import { explainNetworkError } from './network-error.ts';

export interface FoundAccount extends ReadAccount {
  readonly warnings: readonly AccessWarning[];
}

/** As readAccount. If the target does not respond, a warning says so. */
export async function findAccount(target: Target, transport: Transport): Promise<FoundAccount> {
  const warnings: AccessWarning[] = [];
  try {
    const found = await readAccount(target, transport, (warning) => warnings.push(warning));
    return { ...found, warnings };
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    const found = `The account could not be read: ${explainNetworkError(error).what}`;
    const undecided = { found, advice: 'Let GET /accounts respond: every run begins with it.' };
    return { warnings: [...warnings, { sentence: `${found}.`, undecided }] };
  }
}
