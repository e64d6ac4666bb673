/** errors.version.*: the body of a refused version. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import { judges } from '../judge/judgement.ts';
import {
  isPlainRead,
  isRefusedVersion,
  kindOfVersion,
  versionedOperations,
  versionOf,
} from '../kit/versions/seen-version.ts';
import { needRefusal } from '../kit/versions/need-refusal.ts';
import { checkErrors } from './provocations.ts';
import { UNLISTED_VERSION, versionRefusals } from './provoke.ts';

judges('errors.version.body-shape', versionedOperations, (seen, facts) => {
  const kind = kindOfVersion(versionOf(seen, facts));
  if (seen.status !== 400 || kind === undefined || kind === 'listed') return undefined;
  return isPlainRead(seen) || isRefusedVersion(seen) ? errorAndMessage(seen.exchange) : undefined;
});

conforms('errors.version.body-shape', async (run) => {
  const count = await checkErrors(run, [{ provocations: await versionRefusals(run), property: errorAndMessage }]);
  await needRefusal(run, count, 'a version that is refused with 400', UNLISTED_VERSION);
});

function errorAndMessage(exchange: Exchange): Mismatch[] {
  const body = (exchange.response.json ?? {}) as Record<string, unknown>;
  const wrong = ['error', 'message'].filter((member) => typeof body[member] !== 'string');
  return wrong.map((member) => ({
    expected: `${member}: a string`,
    actual: `${member}: ${JSON.stringify(body[member])}`,
    exchange,
  }));
}
