/** errors.version.*: the body of a refused version. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import { versionRefusals } from './provoke.ts';

conforms('errors.version.body-shape', async (run) => {
  const refusals = await versionRefusals(run, ['2026-04-17', '2026-04-16.preview', 'latest', '2026-13-45']);
  run.need(refusals.length > 0, 'a version that is refused with 400');
  run.check(...refusals.map(errorAndMessage));
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
