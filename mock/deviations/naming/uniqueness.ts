/** Faults in that a name stands for one resource, and for good. */
import { deviationsOf } from '../table.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { dropResource, findResource, putResource } from '../../state/resources.ts';
import type { Resource } from '../../state/resources.ts';
import { anew } from '../anew.ts';
import { askedWithBody, isFor } from '../deviation.ts';
import type { App, Deviation, Deviations } from '../deviation.ts';
import {
  after,
  change,
  changeAnswer,
  isAccepted,
  isByBrandHeader,
  isFromApiKey,
  keyOf,
  nameOf,
  sentTo,
  textOf,
  withMetadata,
} from '../writes.ts';
import type { Concerns, Sent } from '../writes.ts';

const update: readonly OperationId[] = ['updateAgent'];
const nameIn = ({ metadata }: Sent): string => textOf(metadata['name']);

/** Takes an update that names another name than the path does, as if it named that of the path; then does more. */
function takesAnother(
  what: string,
  concerns: Concerns,
  then: (ctx: Context, agent: Resource, other: string) => void,
): Deviation {
  return after(what, update, async (sent, ctx, app) => {
    const other = nameIn(sent);
    const agent = nameOf(ctx, sent);
    if (ctx.state.reply?.status !== 400 || other === agent || other === '' || !concerns(sent, ctx)) return;
    await askedWithBody(app, ctx, withMetadata(sent, { name: agent }));
    const kept = findResource(ctx.state.world, keyOf(ctx), agent);
    if (isAccepted(ctx) && kept !== undefined) then(ctx, kept, other);
  });
}

const always: Concerns = () => true;
const isValid: Concerns = (sent) => /^[a-z0-9-]{1,49}$/.test(nameIn(sent));

function rename(ctx: Context, agent: Resource, other: string): void {
  dropResource(ctx.state.world, keyOf(ctx), agent.name);
  copy(ctx, agent, other);
  changeAnswer(ctx, ({ metadata }) => void (metadata['name'] = other));
}

function copy(ctx: Context, agent: Resource, other: string): void {
  putResource(ctx.state.world, keyOf(ctx), { ...agent, name: other });
}

/** Puts a second resource in the place of the first one of its name. */
function replaces(what: string, ids: readonly OperationId[], concerns: Concerns): Deviation {
  return after(what, ids, async (sent, ctx, app) => {
    if (ctx.state.reply?.status !== 409 || !concerns(sent, ctx)) return;
    await createAnew(app, ctx, sent);
  });
}

async function createAnew(app: App, ctx: Context, sent: Sent): Promise<void> {
  await wait(2); // so that it is created at another millisecond
  dropResource(ctx.state.world, keyOf(ctx), nameIn(sent));
  await askedWithBody(app, ctx, sent);
}

/** Looks whether the name is free, and creates a moment later. */
function looksTooEarly(what: string, ids: readonly OperationId[]): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      if (!isFor(ctx, ids)) return app(ctx);
      const sent = await sentTo(ctx);
      const isFree = ![...ctx.state.world.resources.values()].some((kept) => kept.has(nameIn(sent)));
      await wait(20);
      await app(ctx);
      if (isFree && ctx.state.reply?.status === 409) await createAnew(app, ctx, sent);
    };
  return { what, wrap };
}

export const uniquenessDeviations: Deviations = deviationsOf({
  'naming.name.immutable': {
    '': takesAnother('renames an agent', isValid, rename),
    answer: takesAnother('answers the name of the body', always, (ctx, _, other) =>
      changeAnswer(ctx, ({ metadata }) => void (metadata['name'] = other)),
    ),
    copy: takesAnother('makes a second agent of the name in the body', isValid, copy),
    lost: takesAnother('answers the old name, and gives the agent the new one', isValid, (ctx, agent, other) => {
      copy(ctx, agent, other);
      dropResource(ctx.state.world, keyOf(ctx), agent.name);
    }),
    'begins-alike': takesAnother(
      'answers a name of which the old one is the beginning',
      (sent, ctx) => nameIn(sent).startsWith(nameOf(ctx, sent)),
      (ctx, _, other) => changeAnswer(ctx, ({ metadata }) => void (metadata['name'] = other)),
    ),
    'api-key': takesAnother(
      'renames an agent for an API key',
      (sent, ctx) => isValid(sent, ctx) && isFromApiKey(ctx),
      rename,
    ),
    fifth: anew('renames an agent the fifth time it is asked to', (what) => {
      let times = 0;
      return takesAnother(what, (sent, ctx) => isValid(sent, ctx) && (times += 1) === 5, rename);
    }),
  },

  'naming.name.unique-in-workspace': {
    '': replaces('makes a second VPC of a name', ['createVpc'], always),
    'api-key': replaces('makes a second function of a name for an API key', ['createFunction'], (_, ctx) =>
      isFromApiKey(ctx),
    ),
    brand: replaces(
      'makes a second connection of a name by the brand header',
      ['createIntegrationConnection'],
      (_, ctx) => isByBrandHeader(ctx),
    ),
    third: anew('makes another connection of a name the third time', (what) => {
      const times = new Map<string, number>();
      return replaces(what, ['createIntegrationConnection'], (sent) => {
        times.set(nameIn(sent), (times.get(nameIn(sent)) ?? 0) + 1);
        return (times.get(nameIn(sent)) ?? 0) > 1;
      });
    }),
    newest: anew('compares the name of a function with that of the newest one only', (what) => {
      let newest = '';
      const noted = after(what, ['createFunction'], (sent, ctx) => {
        if (ctx.state.reply?.status === 200) newest = nameIn(sent);
      });
      const replaced = replaces(what, ['createFunction'], (sent) => nameIn(sent) !== newest);
      return { what, wrap: (app) => noted.wrap(replaced.wrap(app)) };
    }),
    'at-once': looksTooEarly('makes two VPCs of a name that are asked for at once', ['createVpc']),
    'functions-at-once': looksTooEarly('makes two functions of a name that are asked for at once', ['createFunction']),
    'in-spite': after(
      'refuses a second function of a name, and gives the first one its displayName',
      ['createFunction'],
      (sent, ctx) => {
        if (ctx.state.reply?.status !== 409) return;
        const { displayName } = sent.metadata;
        change(ctx, nameIn(sent), ({ metadata, ...first }) => ({ ...first, metadata: { ...metadata, displayName } }));
      },
    ),
    'dated-anew': after(
      'answers a second connection of a name with the first one, created now',
      ['createIntegrationConnection'],
      (sent, ctx) => {
        const first = ctx.state.reply?.status === 409 && findResource(ctx.state.world, keyOf(ctx), nameIn(sent));
        if (!first) return;
        const createdAt = new Date(ctx.state.world.clock.now() + 5).toISOString();
        ctx.state.reply = { status: 200, body: { metadata: { name: first.name, createdAt }, spec: {} } };
      },
    ),
  },
});
