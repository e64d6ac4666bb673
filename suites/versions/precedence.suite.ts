/** Observes which is checked first if both the version and the credential are invalid. */
import { CALLERS_WITHOUT_ACCESS } from '../../spec/observations/observation-points.ts';
import { observes } from '../engine/conforms.ts';
import { isVersionRefusal, withVersion } from '../kit/versions/with-version.ts';
import { validReads } from '../kit/versions/requests.ts';

observes('versions.precedence.before-credential', async (run) => {
  const callers = {
    'no credential': run.as('none'),
    'an unknown credential': run.as({ token: 'assay-unknown-credential' }),
  };
  for (const request of validReads(run)) {
    for (const caller of CALLERS_WITHOUT_ACCESS) {
      const exchange = await withVersion(run, request, '2026-04-17', { as: callers[caller] });
      run.observe(`${request.id} with an unlisted version and ${caller}`, {
        status: exchange.response.status,
        judgedFirst: isVersionRefusal(exchange) ? 'version' : 'credential',
      });
    }
  }
});
