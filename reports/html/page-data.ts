/** What report.html carries: the report, what the catalogue adds to its rules, and the exchanges that a reader needs. */
import { meaningOf } from '../../spec/requirements/requirement.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import { isRequirementId, requirement } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { ExchangeRecord, Report } from '../../spec/verdicts.ts';
import { causesOf, sentencesOf } from '../failure-causes.ts';
import type { CauseKind } from '../failure-causes.ts';
import { replayCommand } from '../replay-command.ts';
import { mustRulesTried } from '../report.ts';

export interface PageData {
  readonly report: Report;
  /** By rule id; a rule that this version's catalogue does not have has none. */
  readonly catalogue: Readonly<Record<string, CatalogueFacts>>;
  /** What the run ends with, and of how many rules, entries or faults it is; absent where it is green. */
  readonly cause?: { readonly kind: CauseKind; readonly count: number };
  readonly mustRules: { readonly tried: number; readonly all: number };
  /** What makes the run fail besides rules that failed or erred, a sentence each. */
  readonly problems: readonly string[];
  /** The command that tries a rule again, of those that have a counterexample. */
  readonly replay: Readonly<Record<string, string>>;
  /** Lines of exchanges.ndjson that are no exchange: of a run that was killed while it wrote. */
  readonly unreadableLines: number;
}

export interface CatalogueFacts {
  /** What the rule needs of a target, in words. */
  readonly needs: readonly string[];
  readonly operations: readonly string[];
}

/** By rule id, in the order in which they were sent. */
export type KeptExchanges = Readonly<Record<string, readonly ExchangeRecord[]>>;

export function pageData(report: Report, folder: string, unreadableLines: number): PageData {
  const ids = report.requirements.map(({ id }) => id).filter((id) => isRequirementId(id));
  const [cause] = causesOf(report);
  const broken = report.requirements.filter(({ counterexample }) => counterexample !== undefined);
  return {
    report,
    catalogue: Object.fromEntries(ids.map((id) => [id, factsOf(id)])),
    ...(cause && { cause: { kind: cause.kind, count: cause.found.length } }),
    mustRules: mustRulesTried(report),
    problems: sentencesOf(report),
    replay: Object.fromEntries(broken.map(({ id }) => [id, replayCommand(report, folder, id)])),
    unreadableLines,
  };
}

function factsOf(id: RequirementId): CatalogueFacts {
  const { needs, operations }: Requirement = requirement(id);
  return { needs: needs.map(meaningOf), operations };
}
