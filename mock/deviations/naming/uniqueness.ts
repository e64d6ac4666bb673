/** Deviations of the uniqueness and immutability of names. */
import { runWithBody, isFor, stateful, type App, type Fault } from '../deviation.ts';
import type { Table } from '../table.ts';
import { operationsLabel } from '../conditions.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { dropResource, findResource, putResource } from '../../state/resources.ts';
import type { Resource } from '../../state/resources.ts';
import {
  after,
  change,
  changeResponse,
  isAccepted,
  isByBrandHeader,
  isFromApiKey,
  keyOf,
  nameOf,
  sentBodyOf,
  textOf,
  withMetadata,
} from '../writes.ts';
import type { AppliesTo, Sent } from '../writes.ts';

const update: readonly OperationId[] = ['updateAgent'];
const nameIn = ({ metadata }: Sent): string => textOf(metadata['name']);

/** Accepts an update with another name than the path as if it had the path's name, then continues. */
function takesAnother(
  concerns: AppliesTo,
  then: (ctx: Context, agent: Resource, other: string, before: Resource) => void,
): Fault {
  return after(update, async (sent, ctx, app) => {
    const other = nameIn(sent);
    const agent = nameOf(ctx, sent);
    if (ctx.state.reply?.status !== 400 || other === agent || other === '' || !concerns(sent, ctx)) return;
    const before = findResource(ctx.state.world, keyOf(ctx), agent);
    await runWithBody(app, ctx, withMetadata(sent, { name: agent }));
    const kept = findResource(ctx.state.world, keyOf(ctx), agent);
    if (isAccepted(ctx) && before !== undefined && kept !== undefined) then(ctx, kept, other, before);
  });
}

const always: AppliesTo = () => true;
const namesAnAgent: AppliesTo = (sent, ctx) => findResource(ctx.state.world, keyOf(ctx), nameIn(sent)) !== undefined;
const isValid: AppliesTo = (sent) => /^[a-z0-9-]{1,49}$/.test(nameIn(sent));

function rename(ctx: Context, agent: Resource, other: string): void {
  dropResource(ctx.state.world, keyOf(ctx), agent.name);
  copy(ctx, agent, other);
  changeResponse(ctx, ({ metadata }) => void (metadata['name'] = other));
}

function copy(ctx: Context, agent: Resource, other: string): void {
  putResource(ctx.state.world, keyOf(ctx), { ...agent, name: other });
}

/** Puts a second resource in the place of the first one of its name. */
function replaces(ids: readonly OperationId[], concerns: AppliesTo): Fault {
  return after(ids, async (sent, ctx, app) => {
    if (ctx.state.reply?.status !== 409 || !concerns(sent, ctx)) return;
    await createAgain(app, ctx, sent);
  });
}

async function createAgain(app: App, ctx: Context, sent: Sent): Promise<void> {
  await wait(2); // so that it is created at another millisecond
  dropResource(ctx.state.world, keyOf(ctx), nameIn(sent));
  await runWithBody(app, ctx, sent);
}

/** Looks whether the name is free, and creates a moment later. */
function looksTooEarly(ids: readonly OperationId[]): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      if (!isFor(ctx, ids)) return app(ctx);
      const sent = await sentBodyOf(ctx);
      const isFree = ![...ctx.state.world.resources.values()].some((kept) => kept.has(nameIn(sent)));
      await wait(20);
      await app(ctx);
      if (isFree && ctx.state.reply?.status === 409) await createAgain(app, ctx, sent);
    };
  return { kind: 'create duplicate', condition: operationsLabel(ids), wrap };
}

export const uniquenessDeviations: Table = {
  'naming.name.immutable': {
    'renames an agent': takesAnother(isValid, rename),
    'returns the name from the body': takesAnother(always, (ctx, _, other) =>
      changeResponse(ctx, ({ metadata }) => void (metadata['name'] = other)),
    ),
    'creates a second agent with the name from the body': takesAnother(isValid, copy),
    'returns the old name but renames the agent': takesAnother(isValid, (ctx, agent, other) => {
      copy(ctx, agent, other);
      dropResource(ctx.state.world, keyOf(ctx), agent.name);
    }),
    'returns a name that starts with the old one': takesAnother(
      (sent, ctx) => nameIn(sent).startsWith(nameOf(ctx, sent)),
      (ctx, _, other) => changeResponse(ctx, ({ metadata }) => void (metadata['name'] = other)),
    ),
    'renames an agent for API keys': takesAnother((sent, ctx) => isValid(sent, ctx) && isFromApiKey(ctx), rename),
    'updates the agent that the body names': takesAnother(namesAnAgent, (ctx, agent, other, before) => {
      putResource(ctx.state.world, keyOf(ctx), before);
      change(ctx, other, (kept) => ({ ...agent, name: other, createdAt: kept.createdAt }));
    }),
    'also updates the agent that the body names': takesAnother(namesAnAgent, (ctx, { metadata }, other) => {
      change(ctx, other, (kept) => ({ ...kept, metadata }));
    }),
    'returns the agent that the body names, with the name of the path': takesAnother(namesAnAgent, (ctx, _, other) => {
      const createdAt = findResource(ctx.state.world, keyOf(ctx), other)?.createdAt;
      changeResponse(ctx, ({ metadata }) => void (metadata['createdAt'] = new Date(createdAt ?? 0).toISOString()));
    }),
    'accepts an update whose body has another name, but does not store it': takesAnother(
      always,
      (ctx, _agent, _other, before) => putResource(ctx.state.world, keyOf(ctx), before),
    ),
    'stores the update that it refuses in the agent that the body names': after(update, (sent, ctx) => {
      if (ctx.state.reply?.status !== 400 || nameIn(sent) === nameOf(ctx, sent)) return;
      change(ctx, nameIn(sent), (kept) => ({ ...kept, metadata: sent.metadata }));
    }),
    'renames an agent at the fifth attempt': stateful(() => {
      let times = 0;
      return takesAnother((sent, ctx) => isValid(sent, ctx) && (times += 1) === 5, rename);
    }),
  },

  'naming.name.unique-in-workspace': {
    'creates a second VPC of the same name': replaces(['createVpc'], always),
    'creates a second function of the same name for API keys': replaces(['createFunction'], (_, ctx) =>
      isFromApiKey(ctx),
    ),
    'creates a second connection of the same name by brand header': replaces(
      ['createIntegrationConnection'],
      (_, ctx) => isByBrandHeader(ctx),
    ),
    'creates another connection of the same name at the third attempt': stateful(() => {
      const times = new Map<string, number>();
      return replaces(['createIntegrationConnection'], (sent) => {
        times.set(nameIn(sent), (times.get(nameIn(sent)) ?? 0) + 1);
        return (times.get(nameIn(sent)) ?? 0) > 1;
      });
    }),
    'compares the name of a function only with that of the newest': stateful(() => {
      let newest = '';
      const noted = after(['createFunction'], (sent, ctx) => {
        if (ctx.state.reply?.status === 200) newest = nameIn(sent);
      });
      const replaced = replaces(['createFunction'], (sent) => nameIn(sent) !== newest);
      return {
        kind: 'create duplicate',
        condition: 'createFunction',
        wrap: (app) => noted.wrap(replaced.wrap(app)),
      };
    }),
    'creates two VPCs of the same name for simultaneous requests': looksTooEarly(['createVpc']),
    'creates two functions of the same name for simultaneous requests': looksTooEarly(['createFunction']),
    'sets the displayName of the first function when it refuses a second of the same name': after(
      ['createFunction'],
      (sent, ctx) => {
        if (ctx.state.reply?.status !== 409) return;
        const { displayName } = sent.metadata;
        change(ctx, nameIn(sent), ({ metadata, ...first }) => ({ ...first, metadata: { ...metadata, displayName } }));
      },
    ),
    'returns the existing connection, with a new creation date, for a second of the same name': after(
      ['createIntegrationConnection'],
      (sent, ctx) => {
        const first = ctx.state.reply?.status === 409 && findResource(ctx.state.world, keyOf(ctx), nameIn(sent));
        if (!first) return;
        const createdAt = new Date(ctx.state.world.clock.now() + 5).toISOString();
        ctx.state.reply = { status: 200, body: { metadata: { name: first.name, createdAt }, spec: {} } };
      },
    ),
  },
};
