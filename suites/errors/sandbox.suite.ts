/** errors.sandbox.*: the error bodies of the sandbox API. */
import { conforms } from '../engine/conforms.ts';
import { sandboxErrorBody } from '../expect/error-body.ts';
import { isAboutForm, judges, saysNothing } from '../judge/judgement.ts';
import { mayHaveBody } from '../kit/versions/seen-version.ts';
import { checkErrors } from './provocations.ts';
import { sandboxErrors } from './provoke-sandbox.ts';

judges('errors.sandbox.body-shape', ['readTree', 'writeTree', 'listMultipartUploads', 'watchDirectory'], (seen) => {
  if (seen.status < 400 || saysNothing(seen.status) || isAboutForm(seen.status) || !mayHaveBody(seen)) return undefined;
  // A body of another kind may come from a gateway.
  return seen.json === undefined ? undefined : sandboxErrorBody(seen.exchange);
});

conforms('errors.sandbox.body-shape', async (run) => {
  const count = await checkErrors(run, [{ provocations: sandboxErrors(run), property: sandboxErrorBody }]);
  run.need(count > 0, 'an error of the sandbox');
});
