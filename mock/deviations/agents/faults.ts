/** The usual ways in which the update of an agent can be wrong, to make deviations of. */
import type { AgentSpec, Trigger, VolumeAttachment } from '../../../spec/generated/types.ts';
import type { Context } from '../../context.ts';
import { routeOf } from '../../routes.ts';
import { show } from '../../world/envelope.ts';
import { placeOf } from '../../world/kinds.ts';
import type { Place } from '../../world/kinds.ts';
import { findResource, putResource } from '../../world/resources.ts';
import type { JsonObject, Resource } from '../../world/resources.ts';
import { askedWithBody, bodyOf, isFor, sentBody } from '../deviation.ts';
import type { App, Deviation } from '../deviation.ts';

/** What a client sends; whoever reads of it asks for what the schema has, and looks at the value. */
export interface Sent {
  readonly metadata?: JsonObject;
  readonly spec?: AgentSpec;
}

/** What is answered, to be changed. */
export interface Shown {
  metadata: JsonObject;
  spec: AgentSpec;
  events?: unknown[];
}

export type Concerns = (sent: Sent, ctx: Context) => boolean;

export const isUpdate = (ctx: Context): boolean => isFor(ctx, ['updateAgent']);
const asSent = (body: unknown): Sent => (typeof body === 'object' && body !== null ? body : {});
export const isRefused = ({ state: { reply } }: Context): boolean => reply?.status === 400;
export const isAccepted = ({ state: { reply } }: Context): boolean => reply?.status === 200;

/** Does something after updates; `then` sees what was sent and what became of it. */
export function afterUpdates(
  what: string,
  then: (sent: Sent, ctx: Context, app: App) => Promise<void> | void,
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (isUpdate(ctx)) await then(asSent(await sentBody(ctx)), ctx, app);
    };
  return { what, wrap };
}

/** Takes some of what it should refuse, as if it had been `corrected`; the answer may be changed after that. */
export function accepts(
  what: string,
  concerns: Concerns,
  corrected: (sent: Sent, ctx: Context) => unknown,
  answer: (shown: Shown, sent: Sent) => void = () => {},
): Deviation {
  return afterUpdates(what, async (sent, ctx, app) => {
    if (!isRefused(ctx) || !concerns(sent, ctx)) return;
    const before = ctx.state.reply;
    await askedWithBody(app, ctx, corrected(sent, ctx));
    // What is wrong with it besides is refused as before.
    if (isAccepted(ctx)) changeAnswer(ctx, (shown) => answer(shown, sent));
    else if (before !== undefined) ctx.state.reply = before;
  });
}

/** Refuses some of what it should take, and does nothing. */
export function refuses(what: string, concerns: Concerns, status = 400): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const kept = new Map([...ctx.state.world.resources].map(([key, each]) => [key, new Map(each)]));
      await app(ctx);
      if (!isUpdate(ctx) || !isAccepted(ctx) || !concerns(asSent(await sentBody(ctx)), ctx)) return;
      for (const [key, each] of kept) ctx.state.world.resources.set(key, each);
      refuseWith(ctx, status);
    };
  return { what, wrap };
}

/** Changes what it answers of an update, not what it keeps. */
export function answers(what: string, edit: (shown: Shown, sent: Sent, ctx: Context) => void): Deviation {
  return afterUpdates(what, (sent, ctx) => {
    if (isAccepted(ctx)) changeAnswer(ctx, (shown) => edit(shown, sent, ctx));
  });
}

/** Is told of updates that it has accepted, and changes what reads show. */
export function showsLater(
  what: string,
  note: (sent: Sent, ctx: Context) => void,
  edit: (shown: Shown, ctx: Context) => void,
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isAccepted(ctx)) return;
      if (isUpdate(ctx)) note(asSent(await sentBody(ctx)), ctx);
      if (isFor(ctx, ['getAgent'])) changeAnswer(ctx, (shown) => edit(shown, ctx));
    };
  return { what, wrap };
}

export function refuseWith(ctx: Context, status: number): void {
  ctx.state.reply = { status, body: { error: 'refused', code: status, message: 'This is refused.' } };
}

export function changeAnswer(ctx: Context, edit: (shown: Shown) => void): void {
  const { reply } = ctx.state;
  const shown = bodyOf(ctx) as Shown;
  edit(shown);
  if (reply !== undefined) ctx.state.reply = { ...reply, body: shown };
}

/** Refuses, and lets some of it take effect nevertheless. */
export function leavesBehind(
  what: string,
  concerns: Concerns,
  edit: (resource: Resource, sent: Sent) => Resource = withMetadata,
): Deviation {
  return afterUpdates(what, (sent, ctx) => {
    if (isRefused(ctx) && concerns(sent, ctx)) change(ctx, (resource) => edit(resource, sent));
  });
}

export const withMetadata = (resource: Resource, { metadata }: Sent): Resource => {
  const { displayName, labels } = metadata ?? {};
  return { ...resource, metadata: { displayName, labels } };
};

/** Keeps something else than what was sent, and answers what it keeps. */
export function keeps(
  what: string,
  edit: (after: Resource, before: Resource | undefined, sent: Sent, ctx: Context) => Resource,
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const before = isUpdate(ctx) ? agentsByKey(ctx) : new Map<string, Resource | undefined>();
      await app(ctx);
      if (!isUpdate(ctx) || !isAccepted(ctx)) return;
      const sent = asSent(await sentBody(ctx));
      const place = placeOfAgent(ctx);
      const kept = change(ctx, (after) => edit(after, before.get(place.key), sent, ctx));
      if (kept !== undefined) ctx.state.reply = { status: 200, body: show(ctx.state.world, place, kept) };
    };
  return { what, wrap };
}

export const agentName = (ctx: Context): string => routeOf(ctx)?.params['agentName'] ?? '';

/** The agent asked for in each collection of agents: which workspace it is in, later steps settle. */
function agentsByKey(ctx: Context): Map<string, Resource | undefined> {
  const collections = [...ctx.state.world.resources].filter(([key]) => key.endsWith('/agents'));
  return new Map(collections.map(([key, agents]) => [key, agents.get(agentName(ctx))]));
}

function placeOfAgent({ state: { workspace } }: Context): Place {
  if (workspace === undefined) throw new Error('An update that was answered is about no workspace.');
  return placeOf('agents', workspace);
}

/** Puts another one in the place of the agent; undefined where there is none. */
export function change(
  ctx: Context,
  edit: (resource: Resource) => Resource,
  name = agentName(ctx),
): Resource | undefined {
  const { key } = placeOfAgent(ctx);
  const resource = findResource(ctx.state.world, key, name);
  if (resource === undefined) return undefined;
  const changed = edit(resource);
  putResource(ctx.state.world, key, changed);
  return changed;
}

export const triggersOf = ({ spec }: Sent): readonly Trigger[] => listOf<Trigger>(spec?.triggers);
export const volumesOf = ({ spec }: Sent): readonly VolumeAttachment[] => listOf<VolumeAttachment>(spec?.volumes);

// A list that is none has no elements: the app says what is wrong with it.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function listOf<Element>(value: unknown): readonly Element[] {
  return Array.isArray(value) ? (value as Element[]).filter((each) => typeof each === 'object' && each !== null) : [];
}

/** What was sent, with some of its spec replaced. */
export const withInSpec = (sent: Sent, spec: object): object => ({ ...sent, spec: { ...sent.spec, ...spec } });

export const withInRuntime = (sent: Sent, runtime: object): object =>
  withInSpec(sent, { runtime: { ...sent.spec?.runtime, ...runtime } });

/** What was sent, with every trigger replaced. */
export const withTriggers = (sent: Sent, edit: (trigger: Trigger, index: number) => object): object =>
  withInSpec(sent, { triggers: triggersOf(sent).map(edit) });

export const isMk3 = ({ spec }: Sent): boolean => spec?.runtime?.generation === 'mk3';
