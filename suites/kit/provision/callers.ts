/** Who may be expected to be let in by the management API: both kinds of credential, where the target has both. */
import type { Run } from '../../engine/run.ts';
import type { Client } from '../../target/client.ts';

export type CallerWord = 'strongest' | 'apiKey';

export const callersOf = ({ target: { credentials } }: Run): readonly CallerWord[] =>
  credentials.admin === undefined || credentials.apiKey === undefined ? ['strongest'] : ['strongest', 'apiKey'];

export const clientOf = (run: Run, caller: CallerWord): Client =>
  caller === 'strongest' ? run.client : run.as(caller);
