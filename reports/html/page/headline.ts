/** How a run went, in one sentence. */
import type { PageData } from '../page-data.ts';
import { counted } from './shown.ts';

export type Judged = Pick<PageData, 'exitCode' | 'mustRules'> & {
  report: {
    run: Pick<PageData['report']['run'], 'complete' | 'strict'>;
    summary: Pick<PageData['report']['summary'], 'failed' | 'error'>;
  };
};

export function headline({ report: { run, summary }, exitCode, mustRules: { tried, all } }: Judged): string {
  if (!run.complete) return 'The run was cut short';
  if (summary.failed > 0) return `${counted(summary.failed, 'rule')} failed`;
  if (summary.error > 0) return `${counted(summary.error, 'rule')} could not be judged`;
  if (exitCode === 3) return 'The oracle finds the harness at fault';
  if (tried === 0) return 'No must rule was tried';
  if (exitCode === 0) return 'Every rule that was tried held';
  return run.strict === true && tried < all
    ? `${counted(all - tried, 'must rule')} not tried`
    : 'The list of known failures is out of date';
}
