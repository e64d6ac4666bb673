/** Observes which is checked first if both the version and the credential are invalid. */
import { observes } from '../engine/conforms.ts';
import { isVersionRefusal, withVersion } from '../kit/versions/with-version.ts';
import { validReads } from '../kit/versions/requests.ts';

observes('versions.precedence.before-credential', async (run) => {
  const callers = {
    'no credential': run.as('none'),
    'an unknown credential': run.as({ token: 'assay-unknown-credential' }),
  };
  for (const request of validReads(run)) {
    for (const [who, as] of Object.entries(callers)) {
      const exchange = await withVersion(run, request, '2026-04-17', { as });
      const first = isVersionRefusal(exchange) ? 'the version' : 'the credential';
      run.observe(
        `${request.id} with an unlisted version and ${who}`,
        `${exchange.response.status}: ${first} is judged first`,
      );
    }
  }
});
