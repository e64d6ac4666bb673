/** The state of a request; each step sets its own members. */
import type { ParameterizedContext } from 'koa';
import type { JournalEntry } from './journal.ts';
import type { Fault } from './faults.ts';
import type { ReplayedExchange } from './replay.ts';
import type { Disruption } from './response-effect.ts';
import type { ScriptTurn } from './scripted-response.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from './routes.ts';
import type { ServedWorld } from './served-world.ts';
import type { Credential, Workspace } from '../state/accounts.ts';
import type { World } from '../world/world.ts';

export interface State {
  served: ServedWorld;
  /** The world of `served`. */
  world: World;
  /** A request of the console itself: it is not recorded or forwarded, and fault rules and scripts do not apply. */
  isFromConsole?: true;
  /** Set by journal, unless the request is from the console. */
  entry?: JournalEntry;
  /** Set by faults: the fault rule that applies; false if none does. */
  fault?: Fault | false;
  /** Set by scriptedResponses: the scripted response; false if there is none. */
  scripted?: ScriptTurn | false;
  /** Set by replayRecorded: the recorded exchange whose response is sent; false if there is none. */
  recorded?: ReplayedExchange | false;
  /** Set by faults and scriptedResponses: how the response is damaged or slowed down when it is sent. */
  disruption?: Disruption;
  /** Set by matchOperation. */
  route?: Route;
  /** Set by selectVersion. */
  version?: string;
  /** Set by authenticate. */
  credential?: Credential;
  /** Set by authorize. */
  workspace?: Workspace;
  /** Set by wrappers: skip the check of the credential's scopes. */
  scopesWaived?: boolean;
  /** Set by wrappers: refusals in addition to the documented ones; each throws its problem. */
  furtherRules?: readonly ((ctx: Context) => Promise<void>)[];
  /** Set by readBody. */
  body?: unknown;
  /** Set by the endpoint, or by handleProblems. */
  reply?: Reply;
}

export type Context = ParameterizedContext<State>;
export type Step = (ctx: Context, next: () => Promise<void>) => Promise<void> | void;

/** For a step that needs the result of an earlier one. Throws if the steps are in the wrong order. */
export function requireState<Value>(value: Value | undefined, by: string): Value {
  if (value === undefined) throw new Error(`The step ${by} has not run.`);
  return value;
}
