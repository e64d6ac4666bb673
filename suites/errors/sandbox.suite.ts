/** errors.sandbox.*: the error bodies of the sandbox API. */
import { conforms } from '../engine/conforms.ts';
import { sandboxErrorBody } from '../expect/error-body.ts';
import { sandboxErrors } from './provoke-sandbox.ts';

conforms('errors.sandbox.body-shape', async (run) => {
  const errors = await sandboxErrors(run);
  run.need(errors.length > 0, 'an error of the sandbox');
  run.check(...errors.map(sandboxErrorBody));
});
