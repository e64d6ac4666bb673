/** The listed version is taken by every management operation. */
import { versions } from '../../spec/versions.ts';
import { conforms } from '../conforms.ts';
import type { Mismatch, Run } from '../conforms.ts';
import { statusClass } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';
import { isVersionRefusal, withVersion } from './ask.ts';
import { harmlessRequests, validRequests } from './requests.ts';
import type { ManagementRequest } from './requests.ts';

conforms('versions.listed.accepted-everywhere', async (run) => {
  const tried: Mismatch[][] = [];
  for (const { version } of versions) {
    for (const request of harmlessRequests(run)) tried.push(notRefused(await withVersion(run, request, version)));
    for (const request of await succeeding(run))
      tried.push(statusClass(await withVersion(run, request, version), '2xx'));
  }
  run.check(...tried);
});

/** All that succeeds without the header, but for the agent: its update is left to the one that is refused. */
async function succeeding(run: Run): Promise<ManagementRequest[]> {
  return [...(await validRequests(run)).values()].filter(({ id }) => id !== 'updateAgent');
}

/** Whatever else the answer is. */
function notRefused(exchange: Exchange): Mismatch[] {
  if (!isVersionRefusal(exchange)) return [];
  return [
    {
      expected: 'the listed version accepted',
      actual: `status ${exchange.answer.status}, invalid_api_version`,
      exchange,
    },
  ];
}
