/** The usual ways in which the update of an agent can be wrong, to make deviations of. */
import type { AgentSpec, Trigger, VolumeAttachment } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { resourceBody } from '../../domains/resources/envelope.ts';
import type { Resource } from '../../state/resources.ts';
import type { JsonObject } from '../../http/json-object.ts';
import { isFor, sentBody } from '../deviation.ts';
import type { App, Deviation } from '../deviation.ts';
import { afterReading, change, changeAnswer, isAccepted, isRefused, placeOf, refuseWith, takeAs } from '../writes.ts';
import type { Concerns, Shown } from '../writes.ts';

/** What a client sends, whatever is wrong with it: who reads of it asks for what the schema has, and looks at the value. */
export interface SentAgent {
  readonly metadata?: JsonObject;
  readonly spec?: AgentSpec;
}

/** What is answered, to be changed. */
export interface ShownAgent extends Shown {
  spec: AgentSpec;
  events?: unknown[];
}

const update = ['updateAgent'] as const;
export const isUpdate = (ctx: Context): boolean => isFor(ctx, update);

export async function sentAgentTo(ctx: Context): Promise<SentAgent> {
  const body = await sentBody(ctx);
  return typeof body === 'object' && body !== null ? body : {};
}

/** Does something after updates; `then` sees what was sent and what became of it. */
export function afterUpdates(
  what: string,
  then: (sent: SentAgent, ctx: Context, app: App) => Promise<void> | void,
): Deviation {
  return afterReading(sentAgentTo, what, update, then);
}

/** Takes some of what it should refuse, as if it had been `corrected`; the answer may be changed after that. */
export function acceptsUpdate(
  what: string,
  concerns: Concerns<SentAgent>,
  corrected: (sent: SentAgent, ctx: Context) => unknown,
  answer: (shown: ShownAgent, sent: SentAgent) => void = () => {},
): Deviation {
  return afterUpdates(what, async (sent, ctx, app) => {
    if (!isRefused(ctx) || !concerns(sent, ctx)) return;
    await takeAs(app, ctx, corrected(sent, ctx), (shown) => answer(shown as ShownAgent, sent));
  });
}

/** Refuses some of what it would take otherwise, and does nothing. */
export function refusesUpdate(what: string, concerns: Concerns<SentAgent>): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const putBack = keptNow(ctx);
      await app(ctx);
      if (!isUpdate(ctx) || !isAccepted(ctx) || !concerns(await sentAgentTo(ctx), ctx)) return;
      putBack();
      refuseWith(ctx, 400);
    };
  return { what, wrap };
}

/** What it gives puts every resource back as it is now. */
export function keptNow({ state: { world } }: Context): () => void {
  const kept = new Map([...world.resources].map(([key, each]) => [key, new Map(each)]));
  return () => {
    for (const [key, each] of kept) world.resources.set(key, each);
  };
}

/** Changes what it answers of an update, not what it keeps. */
export function answersUpdate(
  what: string,
  edit: (shown: ShownAgent, sent: SentAgent, ctx: Context) => void,
): Deviation {
  return afterUpdates(what, (sent, ctx) => {
    if (isAccepted(ctx)) changeAnswer(ctx, (shown) => edit(shown as ShownAgent, sent, ctx));
  });
}

/** Is told of updates that it has accepted, and changes what reads show. */
export function showsLater(
  what: string,
  note: (sent: SentAgent, ctx: Context) => void,
  edit: (shown: ShownAgent, ctx: Context) => void,
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isAccepted(ctx)) return;
      if (isUpdate(ctx)) note(await sentAgentTo(ctx), ctx);
      if (isFor(ctx, ['getAgent'])) changeAnswer(ctx, (shown) => edit(shown as ShownAgent, ctx));
    };
  return { what, wrap };
}

/** Refuses, and keeps some of it nevertheless. */
export function keepsInSpite(
  what: string,
  concerns: Concerns<SentAgent>,
  edit: (resource: Resource, sent: SentAgent) => Resource = withMetadataOf,
): Deviation {
  return afterUpdates(what, (sent, ctx) => {
    if (ctx.state.reply?.status === 400 && concerns(sent, ctx))
      change(ctx, agentName(ctx), (resource) => edit(resource, sent));
  });
}

function withMetadataOf(resource: Resource, { metadata }: SentAgent): Resource {
  const { displayName, labels } = metadata ?? {};
  return { ...resource, metadata: { displayName, labels } };
}

/** Some members of the spec as they were sent, where they were. */
export const withMembers =
  (...names: readonly (keyof AgentSpec)[]) =>
  (resource: Resource, { spec = {} }: SentAgent): Resource => {
    const sent = names.filter((name) => name in spec).map((name) => [name, spec[name]]);
    return { ...resource, spec: { ...resource.spec, ...Object.fromEntries(sent) } };
  };

/** Keeps something else than what was sent, and answers what it keeps. */
export function keepsAndShows(
  what: string,
  edit: (after: Resource, before: Resource | undefined, sent: SentAgent, ctx: Context) => Resource,
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const before = isUpdate(ctx) ? agentsByKey(ctx) : new Map<string, Resource | undefined>();
      await app(ctx);
      if (!isUpdate(ctx) || !isAccepted(ctx)) return;
      const sent = await sentAgentTo(ctx);
      const place = placeOf(ctx);
      const kept = change(ctx, agentName(ctx), (after) => edit(after, before.get(place.key), sent, ctx));
      if (kept !== undefined) ctx.state.reply = { status: 200, body: resourceBody(ctx.state.world, place, kept) };
    };
  return { what, wrap };
}

export const agentName = (ctx: Context): string => routeOf(ctx)?.params['agentName'] ?? '';

/** The agent asked for in each collection of agents: which workspace it is in, later steps settle. */
function agentsByKey(ctx: Context): Map<string, Resource | undefined> {
  const collections = [...ctx.state.world.resources].filter(([key]) => key.endsWith('/agents'));
  return new Map(collections.map(([key, agents]) => [key, agents.get(agentName(ctx))]));
}

export const triggersOf = ({ spec }: SentAgent): readonly Trigger[] => listOf<Trigger>(spec?.triggers);
export const volumesOf = ({ spec }: SentAgent): readonly VolumeAttachment[] => listOf<VolumeAttachment>(spec?.volumes);

// A list that is none has no elements: the app says what is wrong with it.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function listOf<Element>(value: unknown): readonly Element[] {
  return Array.isArray(value) ? (value as Element[]).filter((each) => typeof each === 'object' && each !== null) : [];
}

/** What was sent, with some of its spec replaced. */
export const withInSpec = (sent: SentAgent, spec: object): object => ({ ...sent, spec: { ...sent.spec, ...spec } });

export const withInRuntime = (sent: SentAgent, runtime: object): object =>
  withInSpec(sent, { runtime: { ...sent.spec?.runtime, ...runtime } });

/** What was sent, with every trigger replaced. */
export const withTriggers = (sent: SentAgent, edit: (trigger: Trigger, index: number) => object): object =>
  withInSpec(sent, { triggers: triggersOf(sent).map(edit) });

export const isMk3 = ({ spec }: SentAgent): boolean => spec?.runtime?.generation === 'mk3';
