/** The management API without a credential that counts; agent update and metrics have rules of their own. */
import { conforms } from '../engine/conforms.ts';
import { strangersOf } from '../kit/auth/carriers.ts';
import { keepsOut } from '../kit/auth/refused-writes.ts';

conforms(
  'auth.management.credential-required',
  (run) => keepsOut(run, run.rule.operations, async () => strangersOf(run)),
  { sequential: true },
);
