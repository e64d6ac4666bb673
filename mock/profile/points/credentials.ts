/** auth.headers.*: how the scheme word may be written, and which of two credentials counts. */
import type { Context } from '../../pipeline/context.ts';
import { askedWithHeaders } from '../../wrap/wrapping.ts';
import type { App } from '../../pipeline/app.ts';
import type { Reply } from '../../http/reply.ts';
import { readToken } from '../../domains/oauth/tokens.ts';
import { answersAs, isTo } from '../layers.ts';
import { follows, layered, ofForm, type Follow, type Layer, type Point, type Points } from '../point.ts';

/** The case calls refused what is answered 401 or 403, and accepted what is answered otherwise, which may be 400. */
const FORM = /^(?:refused (?:401|403)|accepted (?:200|3\d\d|4(?!0[13])\d\d|5\d\d))$/;
const ALLOWED = '"accepted 200", or a refusal as "refused 401" or "accepted 400"';

/** Undefined: the credential is taken. */
const refusalIn = (saw: string): number | undefined => (saw === TAKEN ? undefined : Number(saw.slice(-3)));
const TAKEN = 'accepted 200';

function point(own: string, follow: (refusal: number | undefined) => Follow): Point {
  return ofForm(own, ALLOWED, FORM, (_, saw) => (saw.endsWith(' 429') ? undefined : follow(refusalIn(saw))));
}

type Carrier = 'Authorization' | 'the brand header';

const nameOf = (ctx: Context, carrier: Carrier): string =>
  carrier === 'Authorization' ? 'authorization' : ctx.state.world.headers.authorization.toLowerCase();

const sent = (ctx: Context, carrier: Carrier): string | undefined => {
  const value = ctx.headers[nameOf(ctx, carrier)];
  return value === undefined ? undefined : String(value);
};

/** As if no credential had come; 401 is documented for the update of an agent, so it stays there. */
function refused(app: App, ctx: Context, status: number): Promise<void> {
  const none = { [nameOf(ctx, 'Authorization')]: undefined, [nameOf(ctx, 'the brand header')]: undefined };
  const as = answersAs((_, reply) => reply.status === 401 && !isTo('updateAgent')(ctx), { status });
  return askedWithHeaders(as(app), ctx, none);
}

function schemeWord(word: string, carrier: Carrier): Point {
  const spelt = (ctx: Context) => sent(ctx, carrier)?.split(' ', 1)[0] ?? '';
  const isOne = (found: string) =>
    word === 'bEaReR' ? !['Bearer', 'bearer', 'BEARER'].includes(found) && /^bearer$/i.test(found) : found === word;
  return point(TAKEN, (refusal) => {
    if (refusal === undefined) return follows;
    return layered((app) => (ctx) => (isOne(spelt(ctx)) ? refused(app, ctx, refusal) : app(ctx)));
  });
}

export const schemeWordPoints: Points = Object.fromEntries(
  ['bearer', 'BEARER', 'bEaReR'].flatMap((word) =>
    (['Authorization', 'the brand header'] as const).map((carrier) => [
      `${word} in ${carrier}`,
      schemeWord(word, carrier),
    ]),
  ),
);

/** What the two headers hold. */
type Pair = 'the same' | 'valid, unknown' | 'unknown, valid' | 'two valid ones' | 'nothing to choose from';

async function pairOf(ctx: Context): Promise<Pair> {
  const [first, second] = [tokenIn(ctx, 'Authorization'), tokenIn(ctx, 'the brand header')];
  if (first === undefined || second === undefined) return 'nothing to choose from';
  if (first === second) return 'the same';
  const [isFirst, isSecond] = [await isValid(ctx, first), await isValid(ctx, second)];
  if (isFirst) return isSecond ? 'two valid ones' : 'valid, unknown';
  return isSecond ? 'unknown, valid' : 'nothing to choose from';
}

const tokenIn = (ctx: Context, carrier: Carrier): string | undefined =>
  /^bearer +(\S+)$/i.exec(sent(ctx, carrier) ?? '')?.[1];

async function isValid({ state: { world } }: Context, token: string): Promise<boolean> {
  return world.credentials.has(token) || (await readToken(world, token)) !== undefined;
}

/** Lets one of the two count. */
function onlyWith(app: App, ctx: Context, counts: Carrier): Promise<void> {
  const other = counts === 'Authorization' ? 'the brand header' : 'Authorization';
  return askedWithHeaders(app, ctx, { [nameOf(ctx, other)]: undefined });
}

const forPair =
  (pair: Pair, answer: (app: App, ctx: Context) => Promise<void>): Layer =>
  (app) =>
  async (ctx) =>
    (await pairOf(ctx)) === pair ? answer(app, ctx) : app(ctx);

function oneValid(own: string, pair: Pair, valid: Carrier): Point {
  return point(own, (refusal) =>
    layered(
      forPair(pair, (app, ctx) => (refusal === undefined ? onlyWith(app, ctx, valid) : refused(app, ctx, refusal))),
    ),
  );
}

/** One of the two may do everything, the other may not; the one that may stands in `strong`. Refused: the other counts. */
function twoValid(own: string, strong: Carrier): Point {
  const other = strong === 'Authorization' ? 'the brand header' : 'Authorization';
  return point(own, (refusal) =>
    layered(
      forPair('two valid ones', async (app, ctx) => {
        if (!(await isAdmin(ctx, strong)) || (await isAdmin(ctx, other))) return app(ctx);
        if (refusal === undefined) return onlyWith(app, ctx, strong);
        const as = answersAs((_, reply) => isRefusal(reply) && !isTo('updateAgent')(ctx), { status: refusal });
        return onlyWith(as(app), ctx, other);
      }),
    ),
  );
}

const isRefusal = ({ status }: Reply): boolean => status === 401 || status === 403;

async function isAdmin(ctx: Context, carrier: Carrier): Promise<boolean> {
  const token = tokenIn(ctx, carrier) ?? '';
  const { world } = ctx.state;
  const scopes = world.credentials.get(token)?.scopes ?? (await readToken(world, token))?.scope.split(' ') ?? [];
  return scopes.includes('admin');
}

export const whichWinsPoints: Points = {
  'a valid one in both': point(TAKEN, (refusal) =>
    refusal === undefined ? follows : layered(forPair('the same', (app, ctx) => refused(app, ctx, refusal))),
  ),
  'valid in Authorization, unknown in the brand header': oneValid(TAKEN, 'valid, unknown', 'Authorization'),
  'unknown in Authorization, valid in the brand header': oneValid('refused 401', 'unknown, valid', 'the brand header'),
  'two valid ones, of which one may not: the one that may in Authorization': twoValid(TAKEN, 'Authorization'),
  'two valid ones, of which one may not: the one that may in the brand header': twoValid(
    'refused 403',
    'the brand header',
  ),
};
