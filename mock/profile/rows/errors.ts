/** errors.generic.statuses: responses to malformed requests. */
import { objectOf, type ObservedResponse } from '../../../spec/observations/response-kinds.ts';
import { NO_RESPONSE } from '../../../spec/observations/value-kind.ts';
import type { Context } from '../../pipeline/context.ts';
import { placeOf, routeOf } from '../../pipeline/routes.ts';
import { kinds } from '../../domains/resources/kinds.ts';
import { findResource } from '../../state/resources.ts';
import { isTo, replyOf, respondsWith, unlessChanged, type MatchesReply } from '../effects.ts';
import { cannot, type Row, type RowsOf } from '../row.ts';

function error(
  status: number,
  members: readonly string[],
  matches: MatchesReply,
): Row<ObservedResponse | 'no response'> {
  return {
    own: { status, mediaType: 'application/json', body: objectOf(...members) },
    follow: (value) =>
      value === NO_RESPONSE ? cannot('the mock always responds') : respondsWith(unlessChanged(matches), value),
  };
}

const MEMBERS = ['code', 'error', 'message'];
const OAUTH_MEMBERS = ['error', 'error_description'];
const STANDARD = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const unknownPathOf =
  (surface: string): MatchesReply =>
  (ctx, { status }) =>
    status === 404 && placeOf(ctx).surface === surface && routeOf(ctx) === undefined;

const unsupportedOn =
  (surface: string, isOne: (ctx: Context) => boolean = () => true): MatchesReply =>
  (ctx, { status }) =>
    status === 405 && routeOf(ctx) === undefined && placeOf(ctx).surface === surface && isOne(ctx);
const unsupported = (isOne: (ctx: Context) => boolean): MatchesReply => unsupportedOn('management', isOne);

/** An update of an agent that does not exist: the case sends no others. */
const update = (status: number, isOne: (ctx: Context) => boolean = () => true): MatchesReply =>
  replyOf('updateAgent', status, (ctx) => {
    const { workspace, world } = ctx.state;
    // Without a workspace it was refused before its body was checked.
    if (workspace === undefined || !isOne(ctx)) return false;
    const name = routeOf(ctx)?.params['agentName'] ?? '';
    return findResource(world, `${workspace.name}/${kinds.agents.collection}`, name) === undefined;
  });

const hasLength = ({ headers }: Context): boolean => headers['content-length'] !== '0';
const type = ({ headers }: Context): string => headers['content-type'] ?? '';
/** The body was read and could not be parsed. */
const isUnparsed = ({ state }: Context): boolean => state.workspace !== undefined && state.body === undefined;

export const errorsRows: RowsOf<'errors.generic.statuses'> = {
  'an unknown path of the management API': error(404, MEMBERS, unknownPathOf('management')),
  'an unsupported method (OPTIONS) of the management API': error(
    405,
    MEMBERS,
    unsupported(({ method }) => method === 'OPTIONS'),
  ),
  'an unsupported method (PROPFIND) of the management API': error(
    405,
    MEMBERS,
    unsupported(({ method }) => !STANDARD.includes(method)),
  ),
  'an unsupported method (PATCH) on an agent': error(
    405,
    MEMBERS,
    unsupported(({ method, path }) => STANDARD.includes(method) && method !== 'OPTIONS' && path.includes('/agents/')),
  ),
  'an unknown path of the host': error(404, OAUTH_MEMBERS, unknownPathOf('host')),
  'a token request of malformed JSON': error(
    400,
    OAUTH_MEMBERS,
    replyOf('requestToken', 400, (ctx) => type(ctx).startsWith('application/json')),
  ),
  'an unknown path of the sandbox': error(404, ['error'], unknownPathOf('sandbox')),
  'an unsupported method (PATCH) of the sandbox': error(405, ['error'], unsupportedOn('sandbox')),
  'an unknown path of inference': error(404, MEMBERS, unknownPathOf('inference')),
  'a chat completion of malformed JSON': error(400, ['error'], replyOf('createChatCompletion', 400, isUnparsed)),
  'a chat completion as text/plain': error(415, ['error'], replyOf('createChatCompletion', 415)),
  'an agent update of malformed JSON': error(
    400,
    MEMBERS,
    update(400, (ctx) => isUnparsed(ctx) && hasLength(ctx)),
  ),
  'an agent update without a body': error(
    400,
    MEMBERS,
    update(400, (ctx) => isUnparsed(ctx) && !hasLength(ctx)),
  ),
  'an agent update as text/plain': error(415, MEMBERS, update(415)),
  'an agent update without a Content-Type': error(
    400,
    MEMBERS,
    update(400, (ctx) => type(ctx) === '' && ctx.state.body !== undefined),
  ),
  'an agent update of six million bytes': error(
    413,
    MEMBERS,
    (ctx, { status }) => status === 413 && isTo('updateAgent')(ctx),
  ),
};
