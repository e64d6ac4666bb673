/** Which rules --only and --skip leave in: globs over requirement ids. */
import { matchesGlob } from 'node:path';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { UsageError } from '../command-line/usage-error.ts';

const ids = requirements.map(({ id }) => id);
const matches = (id: string, glob: string): boolean => id === glob || matchesGlob(id, glob);

/** undefined: all of them. A glob that fits no rule is refused, as is what leaves none: a slip, not a wish. */
export function selectRules(only: readonly string[] = [], skip: readonly string[] = []): RequirementId[] | undefined {
  const useless = [...only, ...skip].find((glob) => !ids.some((id) => matches(id, glob)));
  if (useless !== undefined) {
    const areas = [...new Set(ids.map((id) => id.slice(0, id.indexOf('.'))))];
    throw new UsageError(
      `"${useless}" fits no rule. Rules are named like metrics.pagination.limit-clamped; areas: ${areas.join(', ')}.`,
    );
  }
  if (only.length === 0 && skip.length === 0) return undefined;
  const wanted = ids.filter((id) => only.length === 0 || only.some((glob) => matches(id, glob)));
  const left = wanted.filter((id) => !skip.some((glob) => matches(id, glob)));
  if (left.length === 0)
    throw new UsageError('--only and --skip leave no rule: --skip takes away all that --only names.');
  return left;
}
