/** errors.sandbox.*: the error bodies of the sandbox API. */
import { conforms } from '../engine/conforms.ts';
import { sandboxErrorBody } from '../expect/error-body.ts';
import { checkErrors } from './provocations.ts';
import { sandboxErrors } from './provoke-sandbox.ts';

conforms('errors.sandbox.body-shape', async (run) => {
  const count = await checkErrors(run, [{ provocations: sandboxErrors(run), property: sandboxErrorBody }]);
  run.need(count > 0, 'an error of the sandbox');
});
