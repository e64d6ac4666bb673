/** What a rule says beside its refusals. */
import type { MustId } from '../../spec/requirements/index.ts';
import { judgements, type Judged } from './judgement.ts';
import type { Facts, Seen } from './seen.ts';

/** Adds to the refusal of the rule, which is registered before, what it says about requests without the invalid part. */
export function alsoJudges(rule: MustId, judge: (seen: Seen, facts: Facts) => Judged): void {
  const refusal = judgements.get(rule);
  if (refusal === undefined) throw new Error(`The rule "${rule}" has no refusal yet.`);
  judgements.set(rule, {
    ...refusal,
    begin: (facts) => {
      const refused = refusal.begin(facts);
      return (seen) => refused(seen) ?? judge(seen, facts);
    },
  });
}
