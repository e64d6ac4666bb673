/** The callers that the management API should accept: both kinds of credential if the target has both. */
import type { Run } from '../../engine/run.ts';
import type { Client } from '../../target/client.ts';

export type ManagementCaller = 'strongest' | 'apiKey';

export const callersOf = ({ target: { credentials } }: Run): readonly ManagementCaller[] =>
  credentials.admin === undefined || credentials.apiKey === undefined ? ['strongest'] : ['strongest', 'apiKey'];

export const clientOf = (run: Run, caller: ManagementCaller): Client =>
  caller === 'strongest' ? run.client : run.as(caller);
