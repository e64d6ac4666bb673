/** The ordered list of steps that every request passes. */
import compose from 'koa-compose';
import type { Context } from './context.ts';
import { handleProblems } from './steps/handle-problems.ts';
import { authenticate } from './steps/authenticate.ts';
import { authorize } from './steps/authorize.ts';
import { callEndpoint } from './steps/call-endpoint.ts';
import { faults } from './steps/faults.ts';
import { journal } from './steps/journal.ts';
import { applyProfileRefusals } from './steps/apply-profile-refusals.ts';
import { matchOperation } from './steps/match-operation.ts';
import { replayRecorded } from './steps/replay-recorded.ts';
import { scriptedResponses } from './steps/scripted-responses.ts';
import { selectVersion } from './steps/select-version.ts';
import { readBody } from './steps/read-body.ts';
import { wakeSandbox } from './steps/wake-sandbox.ts';
import { validateInput } from './steps/validate-input.ts';

/** The mock as one function that sets `ctx.state.reply`. Wrappers may call it more than once per request. */
export type App = (ctx: Context) => Promise<void>;

const steps = compose<Context>([
  handleProblems,
  journal,
  faults,
  scriptedResponses,
  replayRecorded,
  matchOperation,
  selectVersion,
  authenticate,
  authorize,
  readBody,
  validateInput,
  applyProfileRefusals,
  wakeSandbox,
  callEndpoint,
]);

/** Sets `ctx.state.reply`. Throws only errors of the socket. */
export const app: App = (ctx) => steps(ctx);
