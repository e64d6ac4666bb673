/** naming.name.*: names that are taken or odd, and how the length of a displayName is counted. */
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import { resourceBody } from '../../domains/resources/envelope.ts';
import { placeOf } from '../../domains/resources/kinds.ts';
import type { KindId } from '../../domains/resources/kind.ts';
import { findResource } from '../../state/resources.ts';
import { answersAs, isTo, memberOf, refusesWhen } from '../layers.ts';
import { cannot, layered, ofForm, type Layer, type Point, type Points } from '../point.ts';

const creates = {
  createVpc: 'vpcs',
  createIntegrationConnection: 'integrations/connections',
  createFunction: 'functions',
} as const satisfies { readonly [Id in OperationId]?: KindId };

type CreateId = keyof typeof creates;
const createIds = Object.keys(creates) as CreateId[];

function textAt({ state }: Context, member: string): string {
  const text = memberOf(state.body, 'metadata', member);
  return typeof text === 'string' ? text : '';
}

const nameIn = (ctx: Context): string => textAt(ctx, 'name');
const isTaken = (ctx: Context, id: CreateId): boolean => ctx.state.reply?.status === 409 && isTo(id)(ctx);

function second(id: CreateId): Point {
  return ofForm('409', 'a status', /^(?<status>[2-5]\d\d)$/, ({ status }) =>
    layered(
      Number(status) < 300
        ? answersWithWhatIsThere(id, Number(status))
        : answersAs((ctx) => isTaken(ctx, id), { status: Number(status) }),
    ),
  );
}

/** As if the second create had made the first again: there is still one of the name, and it is as it was. */
function answersWithWhatIsThere(id: CreateId, status: number): Layer {
  return (app) => async (ctx) => {
    await app(ctx);
    const { workspace, world } = ctx.state;
    if (!isTaken(ctx, id) || workspace === undefined) return;
    const place = placeOf(creates[id], workspace);
    const found = findResource(world, place.key, nameIn(ctx));
    if (found !== undefined) ctx.state.reply = { status, body: resourceBody(world, place, found) };
  };
}

/** Each text is none of the others. Two-byte letters tell bytes from letters; signs outside the basic plane tell UTF-16 units from them. */
const counts: Readonly<Record<string, readonly [own: 'accepted' | 'refused', isTooLong: (text: string) => boolean]>> = {
  '63 letters of two bytes': ['accepted', (text) => Buffer.byteLength(text) > 63 && text.length <= 63],
  '63 characters of two UTF-16 units': ['accepted', (text) => text.length > 63 && [...text].length > 32],
  '32 characters of two UTF-16 units': ['accepted', (text) => text.length > 63 && [...text].length <= 32],
  '64 letters of two bytes': ['refused', () => false],
};

function displayName(id: OperationId, what: string): Point {
  const [own, isTooLong] = counts[what] ?? ['accepted', () => false];
  return ofForm(own, '"accepted" or "refused"', /^(accepted|refused)$/, (_, saw) => {
    if (saw === 'accepted') return cannot('a displayName has at most 63 characters (naming.display-name.*)');
    const concerns = (ctx: Context) => isTo(id)(ctx) && isTooLong(textAt(ctx, 'displayName'));
    return layered(
      refusesWhen(concerns, 400, {
        message: 'metadata.displayName is longer than the target which this mock follows takes.',
      }),
    );
  });
}

export const duplicatePoints: Points = {
  ...Object.fromEntries(createIds.map((id) => [`a second ${id} of one name`, second(id)])),
  ...Object.fromEntries(
    (['updateAgent', ...createIds] as const).flatMap((id) =>
      Object.keys(counts).map((what) => [`a displayName of ${what} at ${id}`, displayName(id, what)]),
    ),
  ),
};

const ENDINGS: Readonly<Record<string, RegExp>> = { '-': /[^-]-$/, '--x': /--[^-]/, '--': /--$/, '-0': /-0$/ };

function odd(id: CreateId, form: RegExp): Point {
  const concerns = (ctx: Context) => isTo(id)(ctx) && form.test(nameIn(ctx));
  return ofForm('200', 'a status', /^(?<status>[2-5]\d\d)$/, ({ status }) => {
    if (Number(status) >= 300 && form === ENDINGS['-0'])
      return cannot('hyphens and digits make a name (naming.name.valid-accepted)');
    if (Number(status) >= 300) return layered(refusesWhen(concerns, Number(status)));
    return layered(answersAs((ctx, reply) => reply.status === 200 && concerns(ctx), { status: Number(status) }));
  });
}

export const oddNamePoints: Points = Object.fromEntries(
  createIds.flatMap((id) =>
    Object.entries(ENDINGS).map(([ending, form]) => [`a name that ends in ${ending} at ${id}`, odd(id, form)]),
  ),
);
