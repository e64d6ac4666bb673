/** The management API without a credential that counts; agent update and metrics have rules of their own. */
import { conforms } from '../conforms.ts';
import { strangersOf } from './carriers.ts';
import { keepsOut } from './refused-writes.ts';

conforms(
  'auth.management.credential-required',
  (run) => keepsOut(run, run.rule.operations, async () => strangersOf(run)),
  { alone: true },
);
