/** Judges the exchanges of a recording by every rule that can decide them, and remembers the first violation of each. */
import { headerNames } from '../../spec/brand.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import { earliestStable, isKnownVersion } from '../../spec/versions.ts';
import type { Mismatch } from '../target/violation.ts';
import type { Exchange } from '../target/exchange.ts';
import { NotTried, Violation } from '../target/violation.ts';
import { judgements, type Judged } from './judgement.ts';
import { seenOf, Unknown, type Facts, type Part, type Seen } from './seen.ts';

/** What the exchanges of a recording say about one rule. */
export interface Finding {
  /** How many exchanges the rule judged. */
  readonly judged: number;
  /** How many more violate it. */
  readonly violations: number;
  /** The first violation. Undefined if there is none. */
  readonly first: readonly Mismatch[] | undefined;
  /** Contexts of the rule in which it judged no exchange: it counts as tried only if there are none. */
  readonly missing: readonly string[];
  /** Parts that a recording lacks, so that the rule could not decide, and in how many exchanges. */
  readonly unknown: ReadonlyMap<Part, number>;
}

export interface JudgeBook {
  /** Exchanges come in the order in which they were sent. Returns the rules that it violates. */
  see(seen: Seen): ReadonlyMap<MustId, readonly Mismatch[]>;
  /** The same for an exchange about which everything is known. None if it is of no operation. */
  judge(exchange: Exchange): ReadonlyMap<MustId, readonly Mismatch[]>;
  /** Of every rule that has a judgement. */
  findings(): ReadonlyMap<MustId, Finding>;
}

interface Entry {
  judged: number;
  violations: number;
  first: readonly Mismatch[] | undefined;
  readonly unknown: Map<Part, number>;
}

/** With the judgements that are registered now, or only that of a rule. */
export function openJudgeBook(target: Facts, only?: MustId): JudgeBook {
  const facts = { ...target }; // Rules remember by this object what they have seen in a recording.
  const chosen = [...judgements.values()].filter(({ rule }) => only === undefined || rule === only);
  const judges = chosen.map(({ rule, operations, begin, contexts }) => ({
    rule,
    operations,
    judge: begin(facts),
    missing: new Map(Object.entries(contexts)),
    entry: { judged: 0, violations: 0, first: undefined, unknown: new Map() } as Entry,
  }));
  const byOperation = new Map<OperationId, typeof judges>();
  const judgesOf = (id: OperationId): typeof judges => {
    const known = byOperation.get(id);
    if (known !== undefined) return known;
    const own = judges.filter(({ operations }) => operations === 'every' || operations.includes(id));
    byOperation.set(id, own);
    return own;
  };
  function see(seen: Seen): Map<MustId, readonly Mismatch[]> {
    const broken = new Map<MustId, readonly Mismatch[]>();
    const isOther = isOfUnlistedVersion(seen, facts) || isOfLaterVersion(seen, facts);
    for (const { rule, judge, missing, entry } of judgesOf(seen.operation.id)) {
      const mismatches = judgedBy(judge, seen, entry.unknown);
      if (mismatches === undefined || (isOther && !concernsEveryVersion(rule))) continue;
      entry.judged += 1;
      for (const [name, isIn] of missing) if (isIn(seen)) missing.delete(name);
      if (mismatches.length === 0) continue;
      entry.violations += 1;
      entry.first ??= mismatches;
      broken.set(rule, mismatches);
    }
    return broken;
  }
  return {
    see,
    judge(exchange) {
      const seen = seenOf(exchange, facts);
      return seen === undefined ? new Map() : see(seen);
    },
    findings: () =>
      new Map(judges.map(({ rule, entry, missing }) => [rule, { ...entry, missing: [...missing.keys()] }])),
  };
}

/** Whether the request was accepted with a version of the API that is not documented: another one may mean something else. */
export function isOfUnlistedVersion(seen: Seen, { brand }: Facts): boolean {
  const version = seen.header(headerNames(brand).version) ?? '';
  const { status } = seen;
  return status >= 200 && status <= 299 && version !== '' && !isKnownVersion(version);
}

/** Its own rule, versions.listed.accepted-everywhere, judges what a later version changes. Shapes are checked in every version. */
function isOfLaterVersion(seen: Seen, { brand }: Facts): boolean {
  const version = seen.header(headerNames(brand).version) ?? earliestStable;
  return isKnownVersion(version) && version !== earliestStable;
}

const concernsEveryVersion = (rule: MustId): boolean => /^(?:auth|versions)\./.test(rule);

/** Undefined if the rule says nothing about the exchange, or if the recording lacks what it needs. */
function judgedBy(judge: (seen: Seen) => Judged, seen: Seen, unknown: Map<Part, number>): Judged {
  try {
    return judge(seen);
  } catch (error) {
    if (error instanceof Violation) return error.mismatches;
    if (error instanceof NotTried) return undefined;
    if (!(error instanceof Unknown)) throw error;
    unknown.set(error.part, (unknown.get(error.part) ?? 0) + 1);
    return undefined;
  }
}
