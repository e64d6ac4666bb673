/** auth.management.*: requests without a valid credential. Agent update and metrics have separate rules. */
import { conforms } from '../engine/conforms.ts';
import { strangersOf } from '../kit/auth/carriers.ts';
import { keepsOut } from '../kit/auth/refused-writes.ts';

conforms(
  'auth.management.credential-required',
  (run) => keepsOut(run, run.rule.operations, async () => strangersOf(run)),
  { sequential: true },
);
