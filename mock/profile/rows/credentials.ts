/** auth.headers.*: the letter case of the scheme word, the spelling of a token, and which of two credentials counts. */
import { SCHEME_WORDS, type TOKEN_SPELLINGS } from '../../../spec/observations/observation-points.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { readToken } from '../../domains/oauth/tokens.ts';
import { runWithHeaders } from '../../wrap/wrapping.ts';
import type { App } from '../../pipeline/app.ts';
import { isTo, respond, withHeaders, type MatchesReply } from '../effects.ts';
import { cannot, layered, unchanged, type Follow, type Layer, type Row, type RowsOf } from '../row.ts';

type Status = { readonly status: number };
type Carrier = 'Authorization' | 'the brand header';

/** `refusal` is undefined if the credential is accepted. */
const row = (own: number, follow: (refusal: number | undefined) => Follow): Row<Status> => ({
  own: { status: own },
  follow: ({ status }) => {
    if (status > 200 && status < 300) return cannot('the mock accepts with status 200');
    return follow(status === 200 ? undefined : status);
  },
});

const nameOf = (ctx: Context, carrier: Carrier): string =>
  carrier === 'Authorization' ? 'authorization' : ctx.state.world.headers.authorization.toLowerCase();

const sentIn = (ctx: Context, carrier: Carrier): string | undefined => ctx.headers[nameOf(ctx, carrier)]?.toString();

const otherThan = (carrier: Carrier): Carrier => (carrier === 'Authorization' ? 'the brand header' : 'Authorization');

/** Of an update of an agent, 401 and 403 are documented. */
const isFree =
  (matches: (reply: Reply) => boolean): MatchesReply =>
  (ctx, reply) =>
    matches(reply) && !isTo('updateAgent')(ctx);

/** As if no credential had been sent. */
function refused(app: App, ctx: Context, status: number): Promise<void> {
  const none = { [nameOf(ctx, 'Authorization')]: undefined, [nameOf(ctx, 'the brand header')]: undefined };
  const as = respond(
    isFree((reply) => reply.status === 401),
    { status },
  );
  return runWithHeaders(as(app), ctx, none);
}

function schemeWord(word: (typeof SCHEME_WORDS)[number], carrier: Carrier): Row<Status> {
  const isOne = (found: string): boolean =>
    word === 'bEaReR' ? !['Bearer', 'bearer', 'BEARER'].includes(found) && /^bearer$/i.test(found) : found === word;
  const isSent = (ctx: Context) => isOne(sentIn(ctx, carrier)?.split(' ', 1)[0] ?? '');
  return row(200, (refusal) =>
    refusal === undefined
      ? unchanged
      : layered((app) => (ctx) => (isSent(ctx) ? refused(app, ctx, refusal) : app(ctx))),
  );
}

export const schemeWordRows: RowsOf<'auth.headers.scheme-word-any-case'> = Object.fromEntries(
  SCHEME_WORDS.flatMap((word) =>
    (['Authorization', 'the brand header'] as const).map((carrier) => [
      `${word} in ${carrier}`,
      schemeWord(word, carrier),
    ]),
  ),
);

type Spelling = (typeof TOKEN_SPELLINGS)[number];

/** The same value as it was issued. Undefined if it is not spelled like this. */
const issuedSpellings: Readonly<Record<Spelling, (value: string) => string | undefined>> = {
  'padding after the signature': (value) => /^(bearer +[^\s=]+)=+$/i.exec(value)?.[1],
  'other unused bits in the signature': (value) => {
    const [, head, signature = ''] = /^(bearer +[\w-]+\.[\w-]+\.)([\w-]+)$/i.exec(value) ?? [];
    const issued = Buffer.from(signature, 'base64url').toString('base64url');
    return head === undefined || issued === signature ? undefined : head + issued;
  },
  'a space before the signature': (value) => {
    const [, head, signature] = /^(bearer +[\w-]+\.[\w-]+\.) +([\w-]+)$/i.exec(value) ?? [];
    return head === undefined ? undefined : `${head}${signature}`;
  },
  'two spaces after Bearer': (value) => {
    const [, scheme, token] = /^(bearer) {2,}(\S+)$/i.exec(value) ?? [];
    return scheme === undefined ? undefined : `${scheme} ${token}`;
  },
};

function tokenSpelling(own: number, spelling: Spelling): Row<Status> {
  const issuedHeaders = (ctx: Context): Readonly<Record<string, string>> | undefined => {
    for (const carrier of ['Authorization', 'the brand header'] as const) {
      const issued = issuedSpellings[spelling](sentIn(ctx, carrier) ?? '');
      if (issued !== undefined) return { [nameOf(ctx, carrier)]: issued };
    }
    return undefined;
  };
  return row(own, (refusal) =>
    layered(
      refusal === undefined
        ? withHeaders(issuedHeaders)
        : (app) => (ctx) => (issuedHeaders(ctx) === undefined ? app(ctx) : refused(app, ctx, refusal)),
    ),
  );
}

export const tokenSpellingRows: RowsOf<'auth.headers.token-spelling'> = {
  'padding after the signature': tokenSpelling(401, 'padding after the signature'),
  'other unused bits in the signature': tokenSpelling(401, 'other unused bits in the signature'),
  'a space before the signature': tokenSpelling(401, 'a space before the signature'),
  'two spaces after Bearer': tokenSpelling(200, 'two spaces after Bearer'),
};

/** What the two headers contain. */
type Pair = 'the same' | 'valid, unknown' | 'unknown, valid' | 'two valid' | 'no choice';

async function pairOf(ctx: Context): Promise<Pair> {
  const [first, second] = [tokenIn(ctx, 'Authorization'), tokenIn(ctx, 'the brand header')];
  if (first === undefined || second === undefined) return 'no choice';
  if (first === second) return 'the same';
  const [isFirst, isSecond] = [await isValid(ctx, first), await isValid(ctx, second)];
  if (isFirst) return isSecond ? 'two valid' : 'valid, unknown';
  return isSecond ? 'unknown, valid' : 'no choice';
}

const tokenIn = (ctx: Context, carrier: Carrier): string | undefined =>
  /^bearer +(\S+)$/i.exec(sentIn(ctx, carrier) ?? '')?.[1];

async function isValid({ state: { world } }: Context, token: string): Promise<boolean> {
  return world.credentials.has(token) || (await readToken(world, token)) !== undefined;
}

const onlyWith = (app: App, ctx: Context, carrier: Carrier): Promise<void> =>
  runWithHeaders(app, ctx, { [nameOf(ctx, otherThan(carrier))]: undefined });

const forPair = (pair: Pair, reply: (app: App, ctx: Context) => Promise<void>): Follow =>
  layered((app) => async (ctx) => ((await pairOf(ctx)) === pair ? reply(app, ctx) : app(ctx)));

const oneValid = (own: number, pair: Pair, valid: Carrier): Row<Status> =>
  row(own, (refusal) =>
    forPair(pair, (app, ctx) => (refusal === undefined ? onlyWith(app, ctx, valid) : refused(app, ctx, refusal))),
  );

/** The privileged credential is in `carrier`. Refused: the other one counts. */
const twoValid = (own: number, carrier: Carrier): Row<Status> =>
  row(own, (refusal) =>
    forPair('two valid', async (app, ctx) => {
      if (!(await isAdmin(ctx, carrier)) || (await isAdmin(ctx, otherThan(carrier)))) return app(ctx);
      if (refusal === undefined) return onlyWith(app, ctx, carrier);
      const as: Layer = respond(
        isFree(({ status }) => status === 401 || status === 403),
        { status: refusal },
      );
      return onlyWith(as(app), ctx, otherThan(carrier));
    }),
  );

async function isAdmin(ctx: Context, carrier: Carrier): Promise<boolean> {
  const token = tokenIn(ctx, carrier) ?? '';
  const { world } = ctx.state;
  const scopes = world.credentials.get(token)?.scopes ?? (await readToken(world, token))?.scope.split(' ') ?? [];
  return scopes.includes('admin');
}

export const whichWinsRows: RowsOf<'auth.headers.which-one-wins'> = {
  'the same valid credential in both': row(200, (refusal) =>
    refusal === undefined ? unchanged : forPair('the same', (app, ctx) => refused(app, ctx, refusal)),
  ),
  'valid in Authorization, unknown in the brand header': oneValid(200, 'valid, unknown', 'Authorization'),
  'unknown in Authorization, valid in the brand header': oneValid(401, 'unknown, valid', 'the brand header'),
  'two valid credentials, the privileged one in Authorization': twoValid(200, 'Authorization'),
  'two valid credentials, the privileged one in the brand header': twoValid(403, 'the brand header'),
};
