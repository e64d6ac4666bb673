/** auth.management.*: requests without a valid credential. Agent update and metrics have separate rules. */
import { conforms } from '../engine/conforms.ts';
import { strangersOf, withVersion } from '../kit/auth/carriers.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { judges } from '../judge/judgement.ts';
import { isStranger, notRefused } from '../kit/auth/seen-callers.ts';
import { checkRefused } from '../kit/auth/refused-writes.ts';

judges(
  'auth.management.credential-required',
  requirement('auth.management.credential-required').operations,
  (seen, facts) => (isStranger(seen, facts) ? notRefused(seen) : undefined),
);

conforms('auth.management.credential-required', (run) =>
  checkRefused(run, run.rule.operations, async () => {
    const [anonymous, ...others] = strangersOf(run);
    return [anonymous!, withVersion(run, anonymous!), ...others];
  }),
);
