/** versions.*: odd version headers, and what is judged first. */
import { operations, type OperationId } from '../../../spec/operations.ts';
import { isKnownVersion } from '../../../spec/versions.ts';
import type { ObserveId } from '../../../spec/requirements/index.ts';
import type { Context } from '../../pipeline/context.ts';
import { askedWithHeaders } from '../../wrap/wrapping.ts';
import { problemReply, unknownVersion } from '../../http/problems.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { answersAs, asksWithHeaders, isTo, refusesWhen } from '../layers.ts';
import { cannot, layered, ofForm, oneOf, type Layer, type Point, type Points } from '../point.ts';

const REFUSED = '400 invalid_api_version';

const nameOf = (ctx: Context): string => ctx.state.world.headers.version.toLowerCase();
const sent = (ctx: Context): string | undefined => {
  const value = ctx.headers[nameOf(ctx)];
  return value === undefined ? undefined : String(value);
};

/** Where it is accepted: as if the header had held `reading`, or had not been there. */
function accepted(isOne: (value: string) => boolean, reading?: (value: string) => string | undefined): Point {
  const layer = asksWithHeaders((ctx) => {
    const value = sent(ctx);
    return value === undefined || !isOne(value) ? undefined : { [nameOf(ctx)]: reading?.(value) };
  });
  return ofForm(REFUSED, `"${REFUSED}" or "200"`, /^200$/, () => layered(layer));
}

const parts = (value: string, between: string): string[] => value.split(between);
const listed = (value: string): string | undefined => value.split(/, ?/).find(isKnownVersion);
const known = (value: string | undefined): boolean => value !== undefined && isKnownVersion(value);

const mixed = (first: boolean): Point =>
  accepted((value) => {
    const all = value.split(/, ?/);
    return known(all[0]) === first && all.some(isKnownVersion) && !all.every(isKnownVersion);
  }, listed);

/** `asked`: the question with an unlisted version is that one. Where the header is judged beyond the management API, too; the refusal has the documented form there. */
function elsewhere(surface: 'inference' | 'sandbox', asked: readonly [id: ObserveId, what: string]): Point {
  const layer: Layer = (app) => async (ctx) => {
    const value = sent(ctx);
    if (routeOf(ctx)?.operation.surface !== surface || value === undefined || isKnownVersion(value)) return app(ctx);
    const problem = unknownVersion(ctx.state.world.headers.version, value);
    await refusesWhen(() => true, 400, problem)(app)(ctx);
    if (ctx.state.reply?.status === 400) ctx.state.reply = problemReply(problem);
  };
  const [id, what] = asked;
  return {
    ...oneOf('200', { [REFUSED]: () => layered(layer) }),
    ownWith: ({ seenAt }) => seenAt(what, id)?.slice(0, 3),
  };
}

export const versionHeaderPoints: Points = {
  'an empty version header': accepted((value) => value === ''),
  'the listed version, sent twice': accepted(
    (value) => parts(value, ', ').length > 1 && parts(value, ', ').every(isKnownVersion),
    listed,
  ),
  'the listed version twice in one header': accepted(
    (value) => parts(value, ',').length > 1 && parts(value, ',').every(isKnownVersion),
    listed,
  ),
  'the listed version, then an unlisted one': mixed(true),
  'an unlisted version, then the listed one': mixed(false),
  'an unlisted version on inference': elsewhere('inference', [
    'inference.undocumented.answers',
    'createChatCompletion: a conversation',
  ]),
  'an unlisted version on the sandbox': elsewhere('sandbox', ['sandbox.undocumented.answers', 'the list of uploads']),
};

const reads = operations.filter(
  ({ surface, documented, versioned, method }) =>
    surface === 'management' && documented && versioned && method === 'GET',
);

const callers = {
  'no credential': (ctx: Context) => !hasCredential(ctx),
  'an unknown credential': hasCredential,
};

function hasCredential(ctx: Context): boolean {
  return (
    ctx.headers.authorization !== undefined ||
    ctx.headers[ctx.state.world.headers.authorization.toLowerCase()] !== undefined
  );
}

/** Asks without the version first: a credential that is refused then is refused so. */
function credentialFirst(id: OperationId, isOne: (ctx: Context) => boolean, status: number): Layer {
  return (app) => async (ctx) => {
    const value = sent(ctx);
    if (value === undefined || isKnownVersion(value) || !isTo(id)(ctx) || !isOne(ctx)) return app(ctx);
    await askedWithHeaders(answersAs((_, reply) => reply.status === 401, { status })(app), ctx, {
      [nameOf(ctx)]: undefined,
    });
    if (ctx.state.reply?.status !== status) await app(ctx);
  };
}

export const precedencePoints: Points = Object.fromEntries(
  reads.flatMap(({ id }) =>
    Object.entries(callers).map(([who, isOne]) => [
      `${id} with an unlisted version and ${who}`,
      ofForm(
        '400: the version is judged first',
        '"400: the version is judged first", or a refusal as "401: the credential is judged first"',
        /^(?<status>4\d\d): the (?<first>version|credential) is judged first$/,
        ({ status, first }) =>
          first === 'version'
            ? cannot('an unknown version is refused with 400 (errors.version.body-shape)')
            : layered(credentialFirst(id, isOne, Number(status))),
      ),
    ]),
  ),
);
