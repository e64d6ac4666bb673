/** naming.name.*: names that are taken or unusual, and how the length of a displayName is counted. */
import { LONG_DISPLAY_NAMES, NAME_ENDINGS } from '../../../spec/observations/observation-points.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import { resourceBody } from '../../domains/resources/envelope.ts';
import { placeOf } from '../../domains/resources/kinds.ts';
import type { KindId } from '../../domains/resources/kind.ts';
import { findResource } from '../../state/resources.ts';
import { isTo, memberOf, refuse, replyOf, respond } from '../effects.ts';
import { cannot, choice, layered, type Layer, type Row, type RowsOf } from '../row.ts';

type Status = { readonly status: number };

const creates = {
  createVpc: 'vpcs',
  createIntegrationConnection: 'integrations/connections',
  createFunction: 'functions',
} as const satisfies { readonly [Id in OperationId]?: KindId };

type CreateId = keyof typeof creates;
const createIds = Object.keys(creates) as CreateId[];

function metadata({ state }: Context, member: 'name' | 'displayName'): string {
  const text = memberOf(state.body, 'metadata', member);
  return typeof text === 'string' ? text : '';
}

const duplicate = (id: CreateId): Row<Status> => ({
  own: { status: 409 },
  follow: ({ status }) =>
    layered(status < 300 ? respondWithExisting(id, status) : respond(replyOf(id, 409), { status })),
});

/** As if the second create had returned what the first created. */
const respondWithExisting =
  (id: CreateId, status: number): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply, workspace, world } = ctx.state;
    if (reply?.status !== 409 || !isTo(id)(ctx) || workspace === undefined) return;
    const place = placeOf(creates[id], workspace);
    const found = findResource(world, place.key, metadata(ctx, 'name'));
    if (found !== undefined) ctx.state.reply = { status, body: resourceBody(world, place, found) };
  };

/** Two-byte letters distinguish bytes from letters; characters outside the basic plane, UTF-16 units from characters. */
const isTooLong: Readonly<Record<(typeof LONG_DISPLAY_NAMES)[number], (text: string) => boolean>> = {
  '63 two-byte letters': (text) => Buffer.byteLength(text) > 63 && text.length <= 63,
  '63 characters of two UTF-16 units': (text) => text.length > 63 && [...text].length > 32,
  '32 characters of two UTF-16 units': (text) => text.length > 63 && [...text].length <= 32,
  '64 two-byte letters': () => false,
};

const displayName = (id: OperationId, length: (typeof LONG_DISPLAY_NAMES)[number]): Row<'accepted' | 'refused'> =>
  choice(length === '64 two-byte letters' ? 'refused' : 'accepted', {
    accepted: cannot('a displayName has at most 63 characters (naming.display-name.*)'),
    refused: layered(
      refuse((ctx) => isTo(id)(ctx) && isTooLong[length](metadata(ctx, 'displayName')), 400, {
        message: 'metadata.displayName is too long for the observed deployment.',
      }),
    ),
  });

export const duplicateRows: RowsOf<'naming.name.duplicate-status'> = {
  ...Object.fromEntries(createIds.map((id) => [`a second ${id} of one name`, duplicate(id)])),
  ...Object.fromEntries(
    (['updateAgent', ...createIds] as const).flatMap((id) =>
      LONG_DISPLAY_NAMES.map((length) => [`a displayName of ${length} at ${id}`, displayName(id, length)]),
    ),
  ),
};

const endings: Readonly<Record<(typeof NAME_ENDINGS)[number], RegExp>> = {
  '-': /[^-]-$/,
  '--x': /--[^-]/,
  '--': /--$/,
  '-0': /-0$/,
};

function ending(id: CreateId, name: (typeof NAME_ENDINGS)[number]): Row<Status> {
  const matches = (ctx: Context) => isTo(id)(ctx) && endings[name].test(metadata(ctx, 'name'));
  return {
    own: { status: 200 },
    follow: ({ status }) => {
      if (status < 300) return layered(respond((ctx, reply) => reply.status === 200 && matches(ctx), { status }));
      return name === '-0'
        ? cannot('hyphens and digits are allowed in a name (naming.name.valid-accepted)')
        : layered(refuse(matches, status));
    },
  };
}

export const endingRows: RowsOf<'naming.name.hyphens-digits-reserved'> = Object.fromEntries(
  createIds.flatMap((id) => NAME_ENDINGS.map((name) => [`a name that ends in ${name} at ${id}`, ending(id, name)])),
);
