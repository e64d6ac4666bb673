/** The rules selected by --only and --skip, globs over requirement ids, and by the operations that the target has. */
import { isAbout } from '../../spec/operation-names.ts';
import type { OperationId } from '../../spec/operations.ts';
import { requirement, requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { matchesGlob } from '../../spec/wildcard.ts';
import { UsageError } from '../command-line/usage-error.ts';

const ids = requirements.map(({ id }) => id);
const isMatched = (glob: string): boolean => ids.some((id) => matchesGlob(id, glob));

/** Undefined: all. Throws UsageError for a glob that matches no rule, and for a selection without rules: surely mistakes. */
export function selectRules(only: readonly string[] = [], skip: readonly string[] = []): RequirementId[] | undefined {
  const unmatched = [...only, ...skip].find((glob) => !isMatched(glob));
  if (unmatched !== undefined) {
    const globs = unmatched.split(',');
    const flag = only.includes(unmatched) ? '--only' : '--skip';
    if (globs.every(isMatched))
      throw new UsageError(
        `"${unmatched}" is a list; repeat the flag: ${globs.map((glob) => `${flag} '${glob}'`).join(' ')}`,
      );
    const areas = [...new Set(ids.map((id) => id.slice(0, id.indexOf('.'))))];
    throw new UsageError(
      `"${unmatched}" matches no rule. Rules have ids such as metrics.pagination.limit-clamped; areas: ${areas.join(', ')}.`,
    );
  }
  if (only.length === 0 && skip.length === 0) return undefined;
  const selected = ids.filter((id) => only.length === 0 || only.some((glob) => matchesGlob(id, glob)));
  const remaining = selected.filter((id) => !skip.some((glob) => matchesGlob(id, glob)));
  if (remaining.length === 0)
    throw new UsageError('--only and --skip select no rule: --skip removes every rule that --only selects.');
  return remaining;
}

/**
 * Of the selected rules, those about the operations that the target has. Undefined: all, of either. Throws UsageError if there
 * are none.
 */
export function rulesAbout(
  operations: readonly OperationId[] | undefined,
  selected: readonly RequirementId[] | undefined,
): readonly RequirementId[] | undefined {
  if (operations === undefined) return selected;
  const implemented = (selected ?? ids).filter((id) => isAbout(requirement(id), operations));
  if (implemented.length === 0)
    throw new UsageError(`No rule is selected: none of --only is about the operations ${operations.join(', ')}.`);
  return implemented;
}
