/** Refuses effects of fault rules and scripted responses that contradict each other. */
import { invalidField } from '../../http/problems.ts';
import { contradictionIn } from '../../pipeline/response-effect.ts';
import type { ResponseEffect } from '../../pipeline/rule-formats.ts';

/** Headers that frame a response; the mock sets them. */
const FRAMING = ['content-length', 'transfer-encoding', 'connection', 'trailer'];

interface Effect extends ResponseEffect {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `where`: the path of the effect, for the message. */
export function requireConsistent(where: string, effect: Effect): void {
  const framing = Object.keys(effect.headers ?? {}).find((name) => FRAMING.includes(name.toLowerCase()));
  if (framing !== undefined) throw invalidField(`${where}.headers`, framing, `any header but ${FRAMING.join(', ')}`);
  const contradiction = contradictionIn(effect, effect.status !== undefined);
  if (contradiction === undefined) return;
  const { member, allowed } = contradiction;
  throw invalidField(`${where}.${member}`, effect[member], allowed);
}
