/** errors.generic.*: statuses and forms of refusals that the document does not show. */
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { placeOf, routeOf } from '../../pipeline/routes.ts';
import { findResource } from '../../state/resources.ts';
import { kinds } from '../../domains/resources/kinds.ts';
import { answersAs, isTo, unlessRecast, type Answers } from '../layers.ts';
import { cannot, hasNoBody, layered, namesIn, ofForm, type Point, type Points } from '../point.ts';
import { anyObject, type Form } from '../recast.ts';

const FORM =
  /^(?<status>[2-5]\d\d), (?<type>no body|no Content-Type|[\w.+-]+\/[\w.+-]+)(?: with (?<members>[^\s,]+(?:, [^\s,]+)*))?$|^no answer$/;

function refusal(own: string, answers: Answers): Point {
  return ofForm(
    own,
    'a status, a media type and the members, as "404, application/json with error, message"',
    FORM,
    ({ status, type = '', members }) => {
      if (status === undefined) return cannot('the mock answers whatever is sent');
      if (hasNoBody(status) && (members !== undefined || type === 'no Content-Type')) return undefined;
      const names = members === undefined ? undefined : namesIn(members);
      if (members !== undefined && names === undefined) return undefined;
      return layered(answersAs(unlessRecast(answers), { status: Number(status), ...bodyOf(type, names) }));
    },
  );
}

function bodyOf(type: string, names: readonly string[] | undefined): { type?: string; form: Form } {
  if (type === 'no body') return { form: { is: 'nothing' } };
  const named = { type: type === 'no Content-Type' ? '' : type };
  return { ...named, form: names === undefined ? { is: 'text' } : anyObject(names) };
}

const ERROR = 'application/json with code, error, message';
const STANDARD = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const nothingAt =
  (surface: string): Answers =>
  (ctx, { status }) =>
    status === 404 && placeOf(ctx).surface === surface && routeOf(ctx) === undefined;

const unsupported =
  (isOne: (ctx: Context) => boolean): Answers =>
  (ctx, { status }) =>
    status === 405 && routeOf(ctx) === undefined && placeOf(ctx).surface === 'management' && isOne(ctx);

/** An update of an agent that does not exist: such updates alone are what the case sends. */
const update =
  (ownStatus: number, isOne: (ctx: Context) => boolean = () => true): Answers =>
  (ctx: Context, { status }: Reply) => {
    if (status !== ownStatus || !isTo('updateAgent')(ctx)) return false;
    const name = routeOf(ctx)?.params['agentName'] ?? '';
    const { workspace, world } = ctx.state;
    // Without a workspace it was refused before its body was looked at.
    if (workspace === undefined || !isOne(ctx)) return false;
    return findResource(world, `${workspace.name}/${kinds.agents.collection}`, name) === undefined;
  };

const length = (ctx: Context): string | undefined => ctx.headers['content-length'];
const type = (ctx: Context): string => ctx.headers['content-type'] ?? '';
/** The body was looked at, and could not be read. */
const isUnread = ({ state }: Context): boolean => state.workspace !== undefined && state.body === undefined;
const chat = isTo('createChatCompletion');

export const errorsPoints: Points = {
  'an unknown path of the management API': refusal(`404, ${ERROR}`, nothingAt('management')),
  'an unsupported method (OPTIONS) of the management API': refusal(
    `405, ${ERROR}`,
    unsupported(({ method }) => method === 'OPTIONS'),
  ),
  'an unsupported method (PROPFIND) of the management API': refusal(
    `405, ${ERROR}`,
    unsupported(({ method }) => !STANDARD.includes(method)),
  ),
  'an unknown path of the host': refusal('404, application/json with error, error_description', nothingAt('host')),
  'a token request of malformed JSON': refusal(
    '400, application/json with error, error_description',
    (ctx, { status }) => status === 400 && isTo('requestToken')(ctx) && type(ctx).startsWith('application/json'),
  ),
  'an unknown path of the sandbox': refusal('404, application/json with error', nothingAt('sandbox')),
  'an unknown path of inference': refusal(`404, ${ERROR}`, nothingAt('inference')),
  'a chat completion of malformed JSON': refusal(
    '400, application/json with error',
    (ctx, { status }) => status === 400 && chat(ctx) && isUnread(ctx),
  ),
  'a chat completion as text/plain': refusal(
    '415, application/json with error',
    (ctx, { status }) => status === 415 && chat(ctx),
  ),
  'an agent update of malformed JSON': refusal(
    `400, ${ERROR}`,
    update(400, (ctx) => isUnread(ctx) && length(ctx) !== '0'),
  ),
  'an agent update without a body': refusal(
    `400, ${ERROR}`,
    update(400, (ctx) => isUnread(ctx) && length(ctx) === '0'),
  ),
  'an agent update as text/plain': refusal(`415, ${ERROR}`, update(415)),
  'an agent update without a Content-Type': refusal(
    `400, ${ERROR}`,
    update(400, (ctx) => type(ctx) === '' && ctx.state.body !== undefined),
  ),
  'an agent update of six million bytes': refusal(
    `413, ${ERROR}`,
    (ctx, { status }) => status === 413 && isTo('updateAgent')(ctx),
  ),
  'an unsupported method (PATCH) on an agent': refusal(
    `405, ${ERROR}`,
    unsupported(({ method, path }) => STANDARD.includes(method) && method !== 'OPTIONS' && path.includes('/agents/')),
  ),
};
