/** The rules that --failed selects: those that failed in the latest report, those whose cases showed it, and those that waited. */
import { displayFolder } from '../../reports/replay-command.ts';
import { isSelected } from '../../reports/report.ts';
import { sentBy } from '../../reports/sent-by.ts';
import { dependsOnTarget } from '../../spec/requirements/need-advice.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import type { FoundReport } from '../command-line/recent-reports.ts';
import { REPORTS_FOLDER } from '../command-line/reports-folder.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** `selected`: by --only and --skip; undefined: all. Throws UsageError if there is no report, or it has no such rule. */
export function selectFailed(
  latest: FoundReport | undefined,
  target: string,
  selected: readonly RequirementId[] = requirements.map(({ id }) => id),
): RequirementId[] {
  if (latest === undefined)
    throw new UsageError(
      `--failed: no report of ${target} was found in ${REPORTS_FOLDER} or the folder of --report. Run assay test without --failed first, in this folder.`,
    );
  const results = latest.report.requirements.filter(({ id }) => selected.includes(id));
  // Other versions have other rules.
  const chosen = results.filter((result) => hasFailed(result) || hasWaited(result));
  const senders = chosen.map(sentBy).filter((each) => each !== undefined && selected.includes(each));
  const again = new Set([...chosen.map(({ id }) => id), ...senders]);
  const folder = displayFolder(latest.folder);
  if (again.size === 0)
    throw new UsageError(
      `--failed: none of the selected rules failed in the latest report of ${target}, ${folder}. Run assay test without --failed.`,
    );
  return requirements.map(({ id }) => id).filter((id) => again.has(id));
}

const hasFailed = ({ verdict }: RuleResult): boolean => verdict === 'failed' || verdict === 'error';

/** Not for what the target file lacks, but for what the target did, or because the run ended before. */
function hasWaited(result: RuleResult): boolean {
  const { verdict, missing, reason = '' } = result;
  if (verdict !== 'not-tried' || !isSelected(result)) return false;
  return missing === 'bail' || missing === 'time' || dependsOnTarget(missing ?? reason);
}
