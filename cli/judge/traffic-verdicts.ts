/** The verdicts on traffic: passed if a rule judged an exchange and none violated it, otherwise why not. */
import { SCHEMA_RULE } from '../../reports/report.ts';
import type { CaseOutcome, ElementName, ShapeTally } from '../../spec/case-outcome.ts';
import { counted } from '../../spec/counted.ts';
import type { OperationId } from '../../spec/operations.ts';
import { requirement, requirements } from '../../spec/requirements/index.ts';
import type { MustId, RequirementId } from '../../spec/requirements/index.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import type { Finding, JudgeBook } from '../../suites/judge/judge-book.ts';
import { judgements } from '../../suites/judge/judgement.ts';
import type { Part } from '../../suites/judge/seen.ts';

/** What was seen in all recordings so far. */
export interface Findings {
  readonly books: JudgeBook[];
  /** The first violation of each rule. */
  readonly failures: Map<RequirementId, CaseOutcome>;
  /** Exchanges by operation. */
  readonly operations: Map<OperationId, number>;
  readonly exercised: ElementName[];
  readonly shapes: ShapeTally;
}

/** Of the selected rules, in the order of the catalogue. */
export function outcomesOf(findings: Findings, isSelected: (id: RequirementId) => boolean): CaseOutcome[] {
  const { books, failures, shapes, exercised } = findings;
  const byBook = books.map((book) => book.findings());
  return requirements
    .map(({ id }) => id)
    .filter(isSelected)
    .map((id, index) => {
      const own = byBook.flatMap((each) => each.get(id as MustId) ?? []);
      const judgedCount =
        own.reduce((sum, { judged }) => sum + judged, 0) + (id === SCHEMA_RULE ? shapes.fitted + shapes.misfitted : 0);
      const contexts = missingContexts(own);
      const decision =
        judgedCount === 0
          ? notTried(id, unknownParts(own), findings)
          : contexts.length > 0
            ? notTriedBecause(
                `the traffic shows it in ${counted(judgedCount, 'exchange')}, but not ${contexts.join(', ')}`,
                'traffic',
              )
            : ({ verdict: 'passed' } as const);
      const outcome = failures.get(id) ?? emptyOutcome(resultOf(id, decision));
      return {
        ...outcome,
        result: { ...outcome.result, exchanges: judgedCount, ...(judgedCount > 0 && { inputs: judgedCount }) },
        ...(id === SCHEMA_RULE && { shapes }),
        ...(index === 0 && { exercised }),
      };
    });
}

type NotTried = Pick<RuleResult, 'verdict' | 'reason' | 'missing'>;

function notTried(id: RequirementId, unknown: ReadonlyMap<Part, number>, { operations }: Findings): NotTried {
  const judgement = judgements.get(id as MustId);
  if (judgement === undefined && id !== SCHEMA_RULE)
    return notTriedBecause(`needs requests of its own: assay test --only ${id}`, 'requests');
  const [most] = [...unknown].toSorted(([, one], [, other]) => other - one);
  if (most !== undefined)
    return notTriedBecause(`${most[0]} is unknown in ${counted(most[1], 'exchange')}`, 'recording');
  const place = placeOf(judgement?.operations ?? 'every', operations);
  return notTriedBecause(`the traffic has no exchange that shows it${place}`, 'traffic');
}

const notTriedBecause = (reason: string, missing: string): NotTried => ({ verdict: 'not-tried', reason, missing });

/** `counts`: the exchanges of each operation. */
function placeOf(operations: 'every' | readonly OperationId[], counts: Findings['operations']): string {
  if (operations === 'every') return '';
  const used = operations.filter((id) => counts.has(id));
  if (used.length === 0) return `: none of ${listed(operations)}`;
  const sum = used.reduce((total, id) => total + (counts.get(id) ?? 0), 0);
  return `, in ${counted(sum, 'exchange')} of ${listed(used)}`;
}

const MAX_LISTED = 3;

function listed(ids: readonly OperationId[]): string {
  const more = ids.length - MAX_LISTED;
  return `${ids.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${counted(more, 'more operation')}` : ''}`;
}

/** Contexts of the rule in which no recording shows it. */
const missingContexts = ([first, ...others]: readonly Pick<Finding, 'missing'>[]): readonly string[] =>
  first?.missing.filter((name) => others.every(({ missing }) => missing.includes(name))) ?? [];

function unknownParts(found: readonly { readonly unknown: ReadonlyMap<Part, number> }[]): Map<Part, number> {
  const merged = new Map<Part, number>();
  for (const [part, count] of found.flatMap(({ unknown }) => [...unknown]))
    merged.set(part, (merged.get(part) ?? 0) + count);
  return merged;
}

export function resultOf(id: RequirementId, decision: Pick<RuleResult, 'verdict'> & Partial<RuleResult>): RuleResult {
  const { level, rule } = requirement(id);
  return { id, level, rule, durationMs: 0, exchanges: 0, ...decision };
}

export const emptyOutcome = (result: RuleResult): CaseOutcome => ({
  result,
  observations: [],
  shapes: { fitted: 0, misfitted: 0, misfits: [] },
  exercised: [],
});
