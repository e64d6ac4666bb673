/** What the steps know of a request; each step fills in what it settles. */
import type { ParameterizedContext } from 'koa';
import type { JournalEntry } from './journal.ts';
import type { Fault, Disruption } from './faults.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from './routes.ts';
import type { ServedWorld } from './served-world.ts';
import type { Credential, Workspace } from '../state/accounts.ts';
import type { World } from '../world/world.ts';

export interface State {
  served: ServedWorld;
  /** That of `served`. */
  world: World;
  /** Set by journal. */
  entry?: JournalEntry;
  /** Set by faults: the rule that disturbs the request, false for none. */
  fault?: Fault | false;
  /** Set by faults: what becomes of the answer on its way out. */
  disruption?: Disruption;
  /** Set by matchOperation. */
  route?: Route;
  /** Set by pickVersion. */
  version?: string;
  /** Set by authenticate. */
  credential?: Credential;
  /** Set by authorize. */
  workspace?: Workspace;
  /** Set by what is put around the steps: the credential's scopes do not count. */
  scopesWaived?: boolean;
  /** Set by what is put around the steps: refusals beyond those of the document; each throws its problem. */
  furtherRules?: readonly ((ctx: Context) => Promise<void>)[];
  /** Set by readBody. */
  body?: unknown;
  /** Set by the endpoint, or by answerProblems. */
  reply?: Reply;
}

export type Context = ParameterizedContext<State>;
export type Step = (ctx: Context, next: () => Promise<void>) => Promise<void> | void;

/** For a step that relies on an earlier one: the order of the steps is broken where this throws. */
export function requireState<Value>(value: Value | undefined, by: string): Value {
  if (value === undefined) throw new Error(`The step ${by} has not run.`);
  return value;
}
