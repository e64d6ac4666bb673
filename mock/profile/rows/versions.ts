/** versions.*: unusual version headers, and whether version or credential is checked first. */
import { CALLERS_WITHOUT_ACCESS } from '../../../spec/observations/observation-points.ts';
import type { Given } from '../row.ts';
import { operations, type OperationId } from '../../../spec/operations.ts';
import { isKnownVersion } from '../../../spec/versions.ts';
import type { Context } from '../../pipeline/context.ts';
import { problemReply, unknownVersion } from '../../http/problems.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { runWithHeaders } from '../../wrap/wrapping.ts';
import { isTo, refuse, respond, withHeaders } from '../effects.ts';
import { cannot, layered, type Layer, type Row, type RowsOf } from '../row.ts';

interface Response {
  readonly status: number;
  readonly error?: string | undefined;
}

const REFUSED = { status: 400, error: 'invalid_api_version' };

const nameOf = (ctx: Context): string => ctx.state.world.headers.version.toLowerCase();
const sent = (ctx: Context): string | undefined => ctx.headers[nameOf(ctx)]?.toString();

/** To follow a success, the mock responds as if the header contained `reading`, or were absent. */
const refused = (
  isOne: (value: string) => boolean,
  reading?: (value: string) => string | undefined,
): Row<Response> => ({
  own: REFUSED,
  follow: ({ status }) =>
    status === 200
      ? layered(
          withHeaders((ctx) => {
            const value = sent(ctx);
            return value === undefined || !isOne(value) ? undefined : { [nameOf(ctx)]: reading?.(value) };
          }),
        )
      : cannot('the mock accepts it with 200 or refuses it with 400 invalid_api_version'),
});

const listed = (value: string): string | undefined => value.split(/, ?/).find(isKnownVersion);
const isTwice = (separator: string) => (value: string) => {
  const parts = value.split(separator);
  return parts.length > 1 && parts.every(isKnownVersion);
};

const mixed = (isFirstKnown: boolean): Row<Response> =>
  refused((value) => {
    const all = value.split(/, ?/);
    const [first = ''] = all;
    return isKnownVersion(first) === isFirstKnown && all.some(isKnownVersion) && !all.every(isKnownVersion);
  }, listed);

/** Whether the header is checked outside the management API, too; the refusal has the documented form there. */
function elsewhere(
  surface: 'inference' | 'sandbox',
  withoutHeader: (given: Given) => { readonly status: number } | undefined,
): Row<Response> {
  const layer: Layer = (app) => async (ctx) => {
    const value = sent(ctx);
    if (routeOf(ctx)?.operation.surface !== surface || value === undefined || isKnownVersion(value)) return app(ctx);
    const problem = unknownVersion(ctx.state.world.headers.version, value);
    await refuse(() => true, 400, problem)(app)(ctx);
    if (ctx.state.reply?.status === 400) ctx.state.reply = problemReply(problem);
  };
  return {
    own: (given) => ({ status: withoutHeader(given)?.status ?? 200 }),
    follow: ({ status, error }) =>
      status === REFUSED.status && error === REFUSED.error
        ? layered(layer)
        : cannot('the mock ignores the header, or refuses with 400 invalid_api_version'),
  };
}

export const versionHeaderRows: RowsOf<'versions.header.empty-repeated-or-other-apis'> = {
  'an empty version header': refused((value) => value === ''),
  'the listed version, sent twice': refused(isTwice(', '), listed),
  'the listed version twice in one header': refused(isTwice(','), listed),
  'the listed version, then an unlisted one': mixed(true),
  'an unlisted version, then the listed one': mixed(false),
  'an unlisted version on inference': elsewhere('inference', ({ valueAt }) =>
    valueAt('inference.undocumented.answers', 'createChatCompletion: a conversation'),
  ),
  'an unlisted version on the sandbox': elsewhere('sandbox', ({ valueAt }) =>
    valueAt('sandbox.undocumented.answers', 'the list of uploads'),
  ),
};

const reads = operations.filter(
  ({ surface, documented, versioned, method }) =>
    surface === 'management' && documented && versioned && method === 'GET',
);

const hasCredential = ({ headers, state }: Context): boolean =>
  headers.authorization !== undefined || headers[state.world.headers.authorization.toLowerCase()] !== undefined;

/** Calls the mock without the version first: if the credential is refused then, that is the response. */
function credentialFirst(id: OperationId, isOne: (ctx: Context) => boolean, status: number): Layer {
  return (app) => async (ctx) => {
    const value = sent(ctx);
    if (value === undefined || isKnownVersion(value) || !isTo(id)(ctx) || !isOne(ctx)) return app(ctx);
    const refusal = respond((_, reply) => reply.status === 401, { status });
    await runWithHeaders(refusal(app), ctx, { [nameOf(ctx)]: undefined });
    if (ctx.state.reply?.status !== status) await app(ctx);
  };
}

export const precedenceRows: RowsOf<'versions.precedence.before-credential'> = Object.fromEntries(
  reads.flatMap(({ id }) =>
    CALLERS_WITHOUT_ACCESS.map((caller): [string, Row<{ status: number; judgedFirst: 'version' | 'credential' }>] => [
      `${id} with an unlisted version and ${caller}`,
      {
        own: { status: 400, judgedFirst: 'version' },
        follow: ({ status, judgedFirst }) => {
          if (judgedFirst === 'version')
            return cannot('an unknown version is refused with 400 (errors.version.body-shape)');
          if (status < 400 || status > 499) return cannot('the mock refuses the credential');
          return layered(credentialFirst(id, (ctx) => hasCredential(ctx) === (caller !== 'no credential'), status));
        },
      },
    ]),
  ),
);
