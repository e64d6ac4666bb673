/** Factories of deviations: the update of an agent. */
import type { AgentSpec, Trigger, VolumeAttachment } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { resourceBody } from '../../domains/resources/envelope.ts';
import type { Resource } from '../../state/resources.ts';
import type { JsonObject } from '../../http/json-object.ts';
import { isFor, sentBody } from '../deviation.ts';
import type { App, Deviation } from '../deviation.ts';
import {
  afterReading,
  change,
  changeResponse,
  isAccepted,
  isRefused,
  placeOf,
  refuseWith,
  acceptAs,
} from '../writes.ts';
import type { AppliesTo, ResponseBody } from '../writes.ts';

/** What a client sends, whatever is wrong with it: who reads of it asks for what the schema has, and looks at the value. */
export interface SentAgent {
  readonly metadata?: JsonObject;
  readonly spec?: AgentSpec;
}

/** What is answered, to be changed. */
export interface AgentResponse extends ResponseBody {
  spec: AgentSpec;
  events?: unknown[];
}

const update = ['updateAgent'] as const;
export const isUpdate = (ctx: Context): boolean => isFor(ctx, update);

export async function sentAgentOf(ctx: Context): Promise<SentAgent> {
  const body = await sentBody(ctx);
  return typeof body === 'object' && body !== null ? body : {};
}

/** Does something after updates; `then` sees what was sent and what became of it. */
export function afterUpdates(
  what: string,
  then: (sent: SentAgent, ctx: Context, app: App) => Promise<void> | void,
): Deviation {
  return afterReading(sentAgentOf, what, update, then);
}

/** Takes some of what it should refuse, as if it had been `corrected`; the answer may be changed after that. */
export function acceptsUpdate(
  what: string,
  applies: AppliesTo<SentAgent>,
  corrected: (sent: SentAgent, ctx: Context) => unknown,
  answer: (shown: AgentResponse, sent: SentAgent) => void = () => {},
): Deviation {
  return afterUpdates(what, async (sent, ctx, app) => {
    if (!isRefused(ctx) || !applies(sent, ctx)) return;
    await acceptAs(app, ctx, corrected(sent, ctx), (shown) => answer(shown as AgentResponse, sent));
  });
}

/** Refuses some of what it would take otherwise, and does nothing. */
export function refusesUpdate(what: string, applies: AppliesTo<SentAgent>): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const putBack = snapshotAgents(ctx);
      await app(ctx);
      if (!isUpdate(ctx) || !isAccepted(ctx) || !applies(await sentAgentOf(ctx), ctx)) return;
      putBack();
      refuseWith(ctx, 400);
    };
  return { what, wrap };
}

/** What it gives puts every resource back as it is now. */
export function snapshotAgents({ state: { world } }: Context): () => void {
  const kept = new Map([...world.resources].map(([key, each]) => [key, new Map(each)]));
  return () => {
    for (const [key, each] of kept) world.resources.set(key, each);
  };
}

/** Changes what it answers of an update, not what it keeps. */
export function changesUpdateResponse(
  what: string,
  edit: (shown: AgentResponse, sent: SentAgent, ctx: Context) => void,
): Deviation {
  return afterUpdates(what, (sent, ctx) => {
    if (isAccepted(ctx)) changeResponse(ctx, (shown) => edit(shown as AgentResponse, sent, ctx));
  });
}

/** Is told of updates that it has accepted, and changes what reads show. */
export function changesLaterResponses(
  what: string,
  note: (sent: SentAgent, ctx: Context) => void,
  edit: (shown: AgentResponse, ctx: Context) => void,
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isAccepted(ctx)) return;
      if (isUpdate(ctx)) note(await sentAgentOf(ctx), ctx);
      if (isFor(ctx, ['getAgent'])) changeResponse(ctx, (shown) => edit(shown as AgentResponse, ctx));
    };
  return { what, wrap };
}

/** Refuses, and keeps some of it nevertheless. */
export function storesRefusedUpdate(
  what: string,
  applies: AppliesTo<SentAgent>,
  edit: (resource: Resource, sent: SentAgent) => Resource = withMetadataOf,
): Deviation {
  return afterUpdates(what, (sent, ctx) => {
    if (ctx.state.reply?.status === 400 && applies(sent, ctx))
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
export function storesAndReturns(
  what: string,
  edit: (after: Resource, before: Resource | undefined, sent: SentAgent, ctx: Context) => Resource,
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const before = isUpdate(ctx) ? agentsByKey(ctx) : new Map<string, Resource | undefined>();
      await app(ctx);
      if (!isUpdate(ctx) || !isAccepted(ctx)) return;
      const sent = await sentAgentOf(ctx);
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
