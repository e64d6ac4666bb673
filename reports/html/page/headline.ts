/** The result of a run in one sentence. */
import type { CauseKind } from '../../failure-causes.ts';
import type { PageData } from '../page-data.ts';
import { counted } from './format.ts';

/** By the first cause of failure and its number of findings. */
const headlineByCause: Readonly<Record<CauseKind, (count: number) => string>> = {
  interrupted: () => 'The run was interrupted',
  failed: (count) => `${counted(count, 'rule')} failed`,
  'not-implemented': (count) => `${counted(count, 'operation')} not implemented`,
  'known-failures': () => 'The list of known failures is out of date',
  'oracle-violation': (count) => `${counted(count, 'rule')} not tried, but violated`,
  error: (count) => `${counted(count, 'rule')} ended in an error`,
  'oracle-error': () => 'The oracle found errors in assay',
  'nothing-tried': () => 'No must rule was tried',
  'not-tried': (count) => `${counted(count, 'must rule')} not tried`,
};

type HeadlineData = Pick<PageData, 'cause'> & { readonly mustRules: Pick<PageData['mustRules'], 'tried'> };

export function headline({ cause, mustRules: { tried } }: HeadlineData): string {
  if (cause !== undefined) return headlineByCause[cause.kind](cause.count);
  return tried === 0 ? 'No must rule was tried' : 'Every rule that was tried passed';
}
