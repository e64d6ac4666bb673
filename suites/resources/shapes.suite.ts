/** resources.shapes.*: success answers against the schemas of the documents. */
import { conforms } from '../conforms.ts';
import type { Mismatch } from '../conforms.ts';
import type { Exchange } from '../target/client.ts';
import { first, writes } from '../provision/writes.ts';
import { validReads } from '../versions/requests.ts';

function misfits(exchange: Exchange): Mismatch[] {
  return exchange.shape.map(({ at, allowed, found }) => ({
    expected: `${at === '' ? 'the body' : at} is ${allowed}`,
    actual: found,
    exchange,
  }));
}

// The answers of every other case are held to the schemas too; the report adds what misfits there.
conforms('resources.shapes.fit-the-schema', async (run) => {
  const exchanges: Exchange[] = [];
  for (const { id, input } of validReads(run)) exchanges.push(await run.client.call(id, input()));
  if (run.target.allow !== 'read')
    for (const write of await writes(run)) exchanges.push((await first(run, write)).exchange);
  const successes = exchanges.filter(({ answer: { status } }) => status >= 200 && status < 300);
  run.need(successes.length > 0, 'a success answer of a documented operation');
  for (const exchange of successes) run.check(misfits(exchange));
});
