/** How a run went, in one sentence. */
import type { CauseKind } from '../../failure-causes.ts';
import type { PageData } from '../page-data.ts';
import { counted } from './format.ts';

/** By what the run ends with, and how often that is there. */
const amiss: Readonly<Record<CauseKind, (count: number) => string>> = {
  'cut-short': () => 'The run was cut short',
  failed: (count) => `${counted(count, 'rule')} failed`,
  'out-of-date': () => 'The list of known failures is out of date',
  'seen-broken': (count) => `${counted(count, 'rule')} not tried, but seen broken`,
  error: (count) => `${counted(count, 'rule')} could not be judged`,
  oracle: () => 'The oracle finds the harness at fault',
  untried: (count) => `${counted(count, 'must rule')} not tried`,
};

export function headline({ cause, mustRules: { tried } }: Pick<PageData, 'cause' | 'mustRules'>): string {
  if (cause !== undefined) return amiss[cause.kind](cause.count);
  return tried === 0 ? 'No must rule was tried' : 'Every rule that was tried held';
}
