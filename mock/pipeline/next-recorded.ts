/** Finds the recorded exchange whose response answers a request. */
import { readBytes } from '../http/read-bytes.ts';
import type { Context } from './context.ts';
import { bodyKey, headKey, NO_CALLER, type Replay, type ReplayedExchange } from './replay.ts';
import { placeOf } from './routes.ts';

/** Undefined if the request was not recorded, or not with this caller. */
export async function nextRecorded(ctx: Context, replay: Replay): Promise<ReplayedExchange | undefined> {
  const byBody = headKeysOf(ctx).flatMap((key) => replay.requests.get(key) ?? [])[0];
  const body = byBody && (await bodyKeyOf(ctx));
  const sequence = body === undefined ? [] : ofSender(ctx, byBody?.get(body) ?? []);
  const [first] = sequence;
  if (first === undefined) return undefined;
  const turns = ctx.state.served.replayTurns;
  const turn = turns.get(first) ?? 0;
  turns.set(first, turn + 1);
  return sequence[Math.min(turn, sequence.length - 1)];
}

/** Of a sandbox by its names, and also without them if it is that of the target. */
function headKeysOf(ctx: Context): string[] {
  const { surface, path, sandbox: found } = placeOf(ctx);
  const { resources, workspace } = ctx.state.world.target;
  const sandbox = found === undefined ? '' : `${found.sandboxName}-${found.workspace}`;
  const isOfTarget = found !== undefined && sandbox === `${resources.sandbox}-${workspace}`;
  const names = isOfTarget ? [sandbox, ''] : [sandbox];
  return names.map((name) => headKey({ method: ctx.method, surface, sandbox: name, path, query: ctx.querystring }));
}

/** Undefined if the body cannot be read, or is a form with files, whose boundary always differs: the operation reads it in its own way. */
async function bodyKeyOf({ req, headers }: Context): Promise<string | undefined> {
  if (headers['content-type']?.startsWith('multipart/') === true) return undefined;
  try {
    return bodyKey(await readBytes(req));
  } catch {
    return undefined;
  }
}

/** The exchanges of the same sender, if the recording has several. */
function ofSender(ctx: Context, same: readonly ReplayedExchange[]): readonly ReplayedExchange[] {
  const header = ctx.get(ctx.state.world.headers.workspace);
  const isShared = new Set(same.map(({ workspace = '' }) => workspace)).size === 1;
  const own = isShared ? same : same.filter(({ workspace = '' }) => workspace === header);
  const callers = new Set(own.map(({ caller }) => caller));
  if (callers.size < 2) return own;
  const caller = callerOf(ctx);
  if (callers.has(caller)) return own.filter((each) => each.caller === caller);
  // Recordings of browsers do not name callers, but tell whether there was one.
  const isNamed = [...callers].some((each) => each !== undefined && each !== NO_CALLER);
  return isNamed || caller === NO_CALLER ? [] : own.filter((each) => each.caller === undefined);
}

/** Undefined for a credential that the target does not have. */
function callerOf(ctx: Context): string | undefined {
  const { served, world } = ctx.state;
  const sent = ctx.get('authorization') || ctx.get(world.headers.authorization);
  if (sent === '') return NO_CALLER;
  const { scoped = {}, ...named } = served.target.credentials;
  return Object.entries({ ...scoped, ...named }).find(([, { value }]) => sent === `Bearer ${value}`)?.[0];
}
