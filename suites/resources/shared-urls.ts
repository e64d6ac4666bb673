/** resources.url.present-on-workloads: two agents do not have the same URL. */
import { isOmitted } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';

/**
 * Of responses about agents that exist at the same time. The URL of one agent may change, and may differ by caller. Functions are
 * left out: those of a run are removed one by one, and a URL may then be used again.
 */
export function sharedUrls(exchanges: readonly Exchange[]): Mismatch[] {
  const firsts = new Map<unknown, Exchange>();
  const found = new Map<string, Mismatch>();
  for (const exchange of exchanges) {
    const { name, url } = metadataIn(exchange.response.json);
    if (exchange.operation === 'createFunction' || isOmitted(name) || isOmitted(url) || url === '') continue;
    const first = firsts.get(url) ?? exchange;
    firsts.set(url, first);
    const firstName = metadataIn(first.response.json)['name'];
    if (firstName === name) continue;
    found.set(JSON.stringify([firstName, name]), {
      expected: `a url of agent ${JSON.stringify(name)}, other than that of agent ${JSON.stringify(firstName)}`,
      actual: `metadata.url: ${JSON.stringify(url)}, as of agent ${JSON.stringify(firstName)}`,
      exchange,
      before: [first],
    });
  }
  return [...found.values()];
}
