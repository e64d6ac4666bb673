/** The agents of a recording, as far as responses show them. */
import type { Facts, Seen } from '../judge/seen.ts';
import { fieldsOf } from '../json/fields.ts';

export interface SeenAgents {
  /** Remembers the agent of a read or an update. */
  note(seen: Seen): undefined;
  /** Whether the agent that is queried was of generation mk2 when it was last seen: such an agent is never public. */
  isMk2(seen: Seen): boolean;
  /** Whether an update tried to make it public. */
  wasPublished(seen: Seen): boolean;
}

/** Operations whose exchanges `note` expects. */
export const agentOperations = ['getAgent', 'updateAgent'] as const;

export function seenAgents({ workspace }: Facts): SeenAgents {
  const generations = new Map<string, unknown>();
  const published = new Set<string>();
  const queried = ({ path }: Seen): string =>
    workspace === undefined || path['workspace'] === workspace ? (path['agent'] ?? '') : '';
  return {
    note(seen) {
      const name = seen.path['agentName'] ?? '';
      if (seen.status < 400 || seen.status > 499) generations.delete(name);
      if (seen.status === 200) generations.set(name, fieldsOf(specOf(seen.json)?.['runtime'])?.['generation']);
      if (seen.operation.id === 'updateAgent' && specOf(seen.sent)?.['public'] === true) published.add(name);
      return undefined;
    },
    isMk2: (seen) => generations.get(queried(seen)) === 'mk2',
    wasPublished: (seen) => published.has(queried(seen)),
  };
}

const specOf = (agent: unknown) => fieldsOf(fieldsOf(agent)?.['spec']);
