/** The data embedded in report.html: the report, facts from the catalogue, and selected exchanges. */
import { describeNeed } from '../../spec/requirements/requirement.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import { describeSource } from '../../spec/requirements/source.ts';
import { isRequirementId, requirement } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { ExchangeRecord, Report } from '../../spec/verdicts.ts';
import { causesOf, sentenceOnStop, sentencesOf } from '../failure-causes.ts';
import type { CauseKind } from '../failure-causes.ts';
import { replayCommand } from '../replay-command.ts';
import { mustRulesTried, notImplementedSentence, selectedResults } from '../report.ts';
import type { MustRulesTried } from '../report.ts';
import { commonResponse, groupByCause } from '../common-response.ts';

export interface PageData {
  readonly report: Report;
  /** By rule id; empty for rules that are not in this version's catalogue. */
  readonly catalogue: Readonly<Record<string, CatalogueFacts>>;
  /** The first cause of failure and its number of findings; absent if the run passed. */
  readonly cause?: { readonly kind: CauseKind; readonly count: number };
  readonly mustRules: MustRulesTried;
  /** The number of rules that --only or --skip excluded; `report` does not contain them. */
  readonly excludedCount: number;
  /** Causes of failure other than failed rules and errors, one sentence each. */
  readonly problems: readonly string[];
  /** What most failures have in common. Absent if they share no cause. */
  readonly commonResponse?: string;
  /** Failed rules that have the cause of an earlier one. */
  readonly repeated: Readonly<Record<string, RepeatedFailure>>;
  /** How much the target does not have yet, as its user declared. Absent if everything counts. */
  readonly notImplemented?: string;
  /** Why the run tested fewer inputs than it could have. Absent if it tested all. */
  readonly stopped?: string;
  /** The replay command of each rule that has a counterexample. */
  readonly replay: Readonly<Record<string, string>>;
  /** The number of truncated lines in exchanges.ndjson, which a killed run leaves. */
  readonly unreadableLines: number;
}

export interface RepeatedFailure {
  /** The rule that failed first. */
  readonly first: string;
  /** Such as "the response of getAgent with status 500". */
  readonly cause: string;
}

export interface CatalogueFacts {
  /** Descriptions of what the rule needs from a target. */
  readonly needs: readonly string[];
  readonly operations: readonly string[];
  /** The words that the rule follows from, with their place. */
  readonly sources: readonly string[];
}

/** By rule id, in the order they were sent. */
export type ExchangesByRule = Readonly<Record<string, readonly ExchangeRecord[]>>;

export function pageData(report: Report, folder: string, unreadableLines: number): PageData {
  const requirements = selectedResults(report.requirements);
  const ids = requirements.map(({ id }) => id).filter((id) => isRequirementId(id));
  const [cause] = causesOf(report);
  const stopped = sentenceOnStop(report);
  const common = commonResponse(report);
  const notImplemented = notImplementedSentence(report);
  const withCounterexample = requirements.filter(({ counterexample }) => counterexample !== undefined);
  return {
    report: { ...report, requirements },
    excludedCount: report.requirements.length - requirements.length,
    catalogue: Object.fromEntries(ids.map((id) => [id, factsOf(id)])),
    ...(cause && { cause: { kind: cause.kind, count: cause.findings.length } }),
    mustRules: mustRulesTried(report),
    problems: sentencesOf(report),
    ...(common !== undefined && { commonResponse: common }),
    repeated: repeatedFailures(report),
    ...(notImplemented !== undefined && { notImplemented }),
    ...(stopped !== undefined && { stopped }),
    replay: Object.fromEntries(withCounterexample.map(({ id }) => [id, replayCommand(report, folder, id)])),
    unreadableLines,
  };
}

function repeatedFailures(report: Report): Record<string, RepeatedFailure> {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed');
  return Object.fromEntries(
    groupByCause(failed, report).flatMap(({ first, others, cause }) =>
      others.map(({ id }) => [id, { first: first.id, cause }]),
    ),
  );
}

function factsOf(id: RequirementId): CatalogueFacts {
  const { needs, operations, sources }: Requirement = requirement(id);
  return { needs: needs.map(describeNeed), operations, sources: sources.map(describeSource) };
}
