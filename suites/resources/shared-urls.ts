/** resources.url.present-on-workloads: two agents do not have the same URL. */
import { isOmitted } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { agentKey, remember, seenResource } from '../kit/resources/seen-resource.ts';
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

/**
 * In anybody's traffic an agent may have been removed, and its URL used again. So an agent with the URL counts only if it has the
 * same one before and after another agent has it.
 */
export function judgeSharedUrls(facts: Facts): (seen: Seen) => Judged {
  const holders = new Map<string, readonly Holder[]>();
  return (seen) => {
    const returned = seenResource(seen);
    const agent = returned && agentKey(seen, facts, returned);
    const { url, createdAt } = metadataIn(seen.json);
    if (agent === undefined || typeof url !== 'string' || url === '' || typeof createdAt !== 'string') return undefined;
    const known = holders.get(url) ?? [];
    const own = known.findIndex((each) => each.agent === agent && each.createdAt === createdAt);
    const between = own === -1 ? [] : known.slice(own).filter((each) => each.agent !== agent);
    if (known.at(-1)?.agent !== agent)
      remember(holders, url, [...known, { agent, createdAt, exchange: seen.exchange }].slice(-MAX_HOLDERS));
    return between.length === 0 ? undefined : sharedUrls([between[0]!.exchange, seen.exchange]);
  };
}

const MAX_HOLDERS = 5;

interface Holder {
  readonly agent: string;
  readonly createdAt: string;
  readonly exchange: Exchange;
}
