/** auth.management.*: requests without a valid credential. Agent update and metrics have separate rules. */
import { conforms } from '../engine/conforms.ts';
import { strangersOf } from '../kit/auth/carriers.ts';
import { checkRefused } from '../kit/auth/refused-writes.ts';

conforms('auth.management.credential-required', (run) =>
  checkRefused(run, run.rule.operations, async () => strangersOf(run)),
);
