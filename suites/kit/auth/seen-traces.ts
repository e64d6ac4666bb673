/** Agent updates that were refused and took effect nevertheless, as rules see them in anybody's traffic. */
import type { Judged } from '../../judge/judgement.ts';
import type { Seen } from '../../judge/seen.ts';
import { isSuccessful } from '../../target/eventually.ts';
import type { Exchange } from '../../target/exchange.ts';
import { MARK, traceOf } from './agent-updates.ts';

/** Operations whose exchanges `tracesOfRefused` judges. */
export const tracedOperations = ['updateAgent', 'getAgent'] as const;

/**
 * Judges the agents that responses show, after updates that were refused with such a status: none has a mark that occurs only
 * in updates that were refused. Undefined for any other exchange.
 */
export function tracesOfRefused(
  isConcerned: (seen: Seen) => boolean,
  isRefusedFor: (status: number) => boolean = isUnauthorized,
): (seen: Seen) => Judged {
  const refused = new Map<string, Exchange>();
  const accepted = new Set<string>();
  return (seen) => {
    const isUpdate = seen.operation.id === 'updateAgent';
    if (isUpdate && isRefusedFor(seen.status) && isConcerned(seen))
      for (const mark of marksIn(seen.sentText)) if (!accepted.has(mark)) refused.set(mark, seen.exchange);
    // An update that fails otherwise may have had an effect.
    if (isUpdate && (seen.status < 400 || seen.status > 499))
      for (const mark of marksIn(seen.sentText)) accepted.add(mark);
    if (!isSuccessful(seen.exchange)) return undefined;
    if (refused.size === 0) return undefined;
    const traces = marksIn(seen.text).filter((mark) => refused.has(mark) && !accepted.has(mark));
    return traces.map((mark) => ({ ...traceOf('its mark')(seen.exchange), before: [refused.get(mark)!] }));
  };
}

const isUnauthorized = (status: number): boolean => status === 401 || status === 403;

const marksIn = (text = ''): string[] => [...new Set(Array.from(text.matchAll(MARK), ([mark]) => mark))];
