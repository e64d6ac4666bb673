/** Factories of deviations: the update of an agent. */
import { isFor, sentBody, type App, type Fault } from '../deviation.ts';
import type { Rows } from '../table.ts';
import type { AgentSpec, Trigger, VolumeAttachment } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { resourceBody } from '../../domains/resources/envelope.ts';
import type { Resource } from '../../state/resources.ts';
import type { JsonObject } from '../../../spec/json-object.ts';
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

/** The body of an update, valid or not. Readers must check the type of each value. */
export interface SentAgent {
  readonly metadata?: JsonObject;
  readonly spec?: AgentSpec;
}

/** The response body, to be modified. */
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

/** Calls `then` after updates with the request and its result. */
export function afterUpdates(then: (sent: SentAgent, ctx: Context, app: App) => Promise<void> | void): Fault {
  return afterReading(sentAgentOf, update, then);
}

/** Accepts some invalid updates as if they were `corrected`. The response may be modified afterwards. */
export function acceptsUpdate(
  applies: AppliesTo<SentAgent>,
  corrected: (sent: SentAgent, ctx: Context) => unknown,
  response: (returned: AgentResponse, sent: SentAgent) => void = () => {},
): Fault {
  return afterUpdates(async (sent, ctx, app) => {
    if (!isRefused(ctx) || !applies(sent, ctx)) return;
    await acceptAs(app, ctx, corrected(sent, ctx), (returned) => response(returned as AgentResponse, sent));
  });
}

/** Refuses some valid updates, without any effect. */
export function refusesUpdate(applies: AppliesTo<SentAgent>, status = 400): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const putBack = snapshotAgents(ctx);
      await app(ctx);
      if (!isUpdate(ctx) || !isAccepted(ctx) || !applies(await sentAgentOf(ctx), ctx)) return;
      putBack();
      refuseWith(ctx, status);
    };
  return { kind: 'refuse', condition: 'updateAgent', wrap };
}

/** Returns a function that restores every resource to its current state. */
export function snapshotAgents({ state: { world } }: Context): () => void {
  const kept = new Map([...world.resources].map(([key, each]) => [key, new Map(each)]));
  return () => {
    for (const [key, each] of kept) world.resources.set(key, each);
  };
}

/** Modifies the response of an update, but not the stored agent. */
export function changesUpdateResponse(edit: (returned: AgentResponse, sent: SentAgent, ctx: Context) => void): Fault {
  return afterUpdates((sent, ctx) => {
    if (isAccepted(ctx)) changeResponse(ctx, (returned) => edit(returned as AgentResponse, sent, ctx));
  });
}

/** Called with accepted updates. Modifies the responses of reads. */
export function changesLaterResponses(
  note: (sent: SentAgent, ctx: Context) => void,
  edit: (returned: AgentResponse, ctx: Context) => void,
): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isAccepted(ctx)) return;
      if (isUpdate(ctx)) note(await sentAgentOf(ctx), ctx);
      if (isFor(ctx, ['getAgent'])) changeResponse(ctx, (returned) => edit(returned as AgentResponse, ctx));
    };
  return { kind: 'change response', condition: 'getAgent', wrap };
}

/** Refuses, and keeps some of it nevertheless. */
export function storesRefusedUpdate(
  applies: AppliesTo<SentAgent>,
  edit: (resource: Resource, sent: SentAgent) => Resource = withMetadataOf,
): Fault {
  return afterUpdates((sent, ctx) => {
    if (ctx.state.reply?.status === 400 && applies(sent, ctx))
      change(ctx, agentName(ctx), (resource) => edit(resource, sent));
  });
}

function withMetadataOf(resource: Resource, { metadata }: SentAgent): Resource {
  const { displayName, labels } = metadata ?? {};
  return { ...resource, metadata: { displayName, labels } };
}

type Part = 'triggers' | 'enabled' | 'metadata';
const sentences: Readonly<Record<Part, string>> = {
  triggers: 'sets the triggers of',
  enabled: 'disables an agent by',
  metadata: 'stores the metadata of',
};

/** Updates that are refused for `reason`, but stored in part. */
export const storedInPart = (reason: string, applies: AppliesTo<SentAgent>, ...parts: readonly Part[]): Rows =>
  Object.fromEntries(
    parts.map((part) => [
      `${sentences[part]} an update refused for ${reason}`,
      storesRefusedUpdate(applies, part === 'metadata' ? withMetadataOf : withMembers(part)),
    ]),
  );

/** Some fields of the spec as sent, if present. */
export const withMembers =
  (...names: readonly (keyof AgentSpec)[]) =>
  (resource: Resource, { spec = {} }: SentAgent): Resource => {
    const sent = names.filter((name) => name in spec).map((name) => [name, spec[name]]);
    return { ...resource, spec: { ...resource.spec, ...Object.fromEntries(sent) } };
  };

/** Stores something else than what was sent, and returns what it stores. */
export function storesAndReturns(
  edit: (after: Resource, before: Resource | undefined, sent: SentAgent, ctx: Context) => Resource,
): Fault {
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
  return { kind: 'change write', condition: 'updateAgent', wrap };
}

export const agentName = (ctx: Context): string => routeOf(ctx)?.params['agentName'] ?? '';

/** The requested agent in each collection of agents, because the workspace is only determined by later steps. */
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
