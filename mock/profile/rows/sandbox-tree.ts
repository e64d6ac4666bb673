/** sandbox.undocumented.answers: responses to reads and writes of a file tree. */
import type { FixedWhat } from '../../../spec/observations/observation.ts';
import { isNoBodyStatus, objectOf, type ObservedResponse } from '../../../spec/observations/response-kinds.ts';
import type { Context } from '../../pipeline/context.ts';
import { isObject } from '../../../spec/json-object.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { readFile } from '../../domains/sandbox/filesystem.ts';
import { absolutePath } from '../../domains/sandbox/path.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { runWithBody, sentBody } from '../../wrap/wrapping.ts';
import {
  changed,
  isTo,
  memberOf,
  refuse,
  replyOf,
  respond,
  respondsWith,
  unlessChanged,
  withBody,
  type MatchesReply,
} from '../effects.ts';
import {
  cannot,
  choice,
  isSameValue,
  layered,
  type Follow,
  type Given,
  type Layer,
  type Row,
  type RowsOf,
} from '../row.ts';

const ID = 'sandbox.undocumented.answers';
type What = FixedWhat<typeof ID> & `a ${'read' | 'write'} ${string}`;
type Observed = ObservedResponse;

const LISTING: Observed = { status: 200, body: objectOf('files', 'name', 'path', 'subdirectories') };
const ERROR: Observed = { status: 400, body: objectOf('error') };

/** A reply of the mock that gets another status and shape. */
const reply = (own: Observed, matches: MatchesReply): Row<Observed> => ({
  own,
  follow: (value) => respondsWith(unlessChanged(matches), value),
});

/** The path below `/filesystem/tree/`, as it was sent. */
const rawPath = ({ path }: Context): string => path.split('/filesystem/tree/')[1] ?? '';
const READ = 'a read of a directory';

/** Whether a response would have the very same body as the one with the plain path. */
const hasBodyOfRead = ({ valueAt }: Given, { body }: Observed): boolean => isSameValue(valueAt(ID, READ)?.body, body);

const SAME_BODY = 'its body would be that of the plain path';

/** A spelling of a directory's path: read as the plain path, or refused. */
const spelling = (pattern: RegExp): Row<Observed> => ({
  own: ({ valueAt }) => asPlain(valueAt(ID, READ)),
  follow: (value, given) => {
    if (value.status < 300) return cannot('the mock reads it as the plain path');
    if (value.sameBodyAs !== undefined || hasBodyOfRead(given, value)) return cannot(SAME_BODY);
    return respondsWith((ctx) => {
      const isOne = isTo('readTree')(ctx) && pattern.test(rawPath(ctx));
      if (isOne) changed.add(ctx);
      return isOne;
    }, value);
  },
});

/** Bodies that are not JSON are not compared. */
const asPlain = (read: Observed | undefined): Observed | undefined => {
  if (read === undefined) return undefined;
  const { sameBodyAs: _, ...value } = read;
  return value.body === 'nothing' || value.body === 'text' ? value : { ...value, sameBodyAs: 'the plain path' };
};

const isDirectory = replyOf('readTree', 200, (ctx) => !changed.has(ctx));

/** Reads and writes respond with one listing: their bodies are the same if their shapes are. */
const directory: Row<Observed> = {
  own: { ...LISTING, sameBodyAs: 'the write' },
  follow: (value) => {
    const isListing = isSameValue(value.body, LISTING.body);
    if (isListing !== (value.sameBodyAs === 'the write'))
      return cannot('the mock responds to reads and writes with one listing');
    if (value.status >= 300) return cannot('what exists is listed (sandbox.tree.*)');
    if (isNoBodyStatus(value.status) && isListing) return cannot(`a response of status ${value.status} has no body`);
    // A listing keeps the order of the mock's members, because bodies are compared byte by byte.
    return isListing ? layered(respond(isDirectory, { status: value.status })) : respondsWith(isDirectory, value);
  },
};

/** Either the file's content, or the refusal in another form. */
const fileRead: Row<Observed> = {
  own: ERROR,
  follow: (value) => {
    const isFile = unlessChanged(replyOf('readTree', 400));
    if (value.status < 300 && value.body === 'text' && !isNoBodyStatus(value.status))
      return layered(respondWithFile(isFile, value.status));
    return respondsWith(isFile, value);
  },
};

const respondWithFile =
  (isFile: MatchesReply, status: number): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply: own, world, workspace } = ctx.state;
    if (own === undefined || workspace === undefined || !(await isFile(ctx, own))) return;
    const path = routeOf(ctx)?.params ?? {};
    const body = readFile(sandboxOf({ world, workspace, path }).filesystem, path['path'] ?? '');
    if (body !== undefined)
      ctx.state.reply = { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
  };

const unknownRead = (isEncoded: boolean): MatchesReply =>
  replyOf('readTree', 404, (ctx) => rawPath(ctx).includes('%25') === isEncoded);

const NOT_FOUND: Observed = { status: 404, body: objectOf('error') };
const DOTS = /(^|\/)\.\.(\/|$)/;

const reads: RowsOf<typeof ID> = {
  'the root of the sandbox': reply(
    { status: 200, body: objectOf('name', 'workspace') },
    replyOf('getSandboxRoot', 200),
  ),
  'a read of an unknown path': reply(NOT_FOUND, unknownRead(false)),
  'the list of uploads': reply({ status: 200, body: objectOf('uploads') }, replyOf('listMultipartUploads', 200)),
  [READ]: directory,
  'a read by a path with a leading slash': spelling(/^\//),
  'a read by a path with a leading slash, encoded': spelling(/^%2F/i),
  'a read by a path with encoded slashes': spelling(/[^/]%2F/i),
  'a read by a path with a slash at the end': spelling(/[^./]\/$/),
  'a read by a path with . in it': spelling(/(^|\/)\.(\/|$)/),
  'a read by a path with .. in it': spelling(DOTS),
  'a read by a path with .. encoded': spelling(/(^|\/)%2e%2e(\/|$)/i),
  'a read of an encoded percent sign': {
    own: NOT_FOUND,
    follow: (value, given) =>
      value.sameBodyAs !== undefined || hasBodyOfRead(given, value)
        ? cannot(SAME_BODY)
        : respondsWith(unlessChanged(unknownRead(true)), value),
  },
  'a read of a file': fileRead,
};

type IsOne = (body: unknown) => boolean;

const filesIn = (body: unknown): Readonly<Record<string, unknown>> => {
  const files = memberOf(body, 'files');
  return isObject(files) ? files : {};
};
const key =
  (pattern: RegExp): IsOne =>
  (body) =>
    Object.keys(filesIn(body)).some((path) => pattern.test(path));

/** A write that the mock accepts. */
function accepted(isOne: IsOne): Row<Observed> {
  const matches = (ctx: Context): boolean => isTo('writeTree')(ctx) && isOne(ctx.state.body);
  return {
    own: LISTING,
    follow: (value) => {
      if (value.status < 300) return respondsWith(replyOf('writeTree', 200, matches), value);
      const { layer, cannot: why } = respondsWith(replyOf('writeTree', value.status, matches), value);
      if (layer === undefined) return cannot(why ?? SAME_BODY);
      return layered((app) => layer(refuse(matches, value.status)(app)));
    },
  };
}

/** A write that the mock refuses; to follow a success, it responds as to `corrected`, which is like another row. */
const refused = (isOne: IsOne, corrected: (body: unknown) => object, like?: What): Row<Observed> => ({
  own: ERROR,
  follow: (value, { valueAt }) => {
    if (value.status >= 300)
      return respondsWith(
        refusedWrite(({ state }) => state.body !== undefined && isOne(state.body)),
        value,
      );
    return isSameValue(value, like === undefined ? LISTING : valueAt(ID, like))
      ? layered(withBody(['writeTree'], (body) => (isOne(body) ? corrected(body) : undefined)))
      : cannot('the mock responds to it as to the corrected write');
  },
});

/** A write that the mock can only refuse. */
const alwaysRefused = (matches: MatchesReply): Row<Observed> => ({
  own: ERROR,
  follow: (value): Follow =>
    value.status < 300 ? cannot('a path is either a file or a directory') : respondsWith(matches, value),
});

const refusedWrite = (matches: MatchesReply): MatchesReply => replyOf('writeTree', 400, matches);

const refusedWith = (text: string, matches: (ctx: Context, message: string) => boolean = () => true): MatchesReply =>
  refusedWrite((ctx, { body }) => {
    const message = String(memberOf(body, 'error'));
    return message.includes(text) && matches(ctx, message);
  });

/** The file is what the path of the request names. */
const isThePath = (ctx: Context, message: string): boolean =>
  message.startsWith(`${JSON.stringify(absolutePath(routeOf(ctx)?.params['path'] ?? ''))} is a file`);

const NOT_A_FILE = 'is a directory; expected a file';
const NOT_A_DIRECTORY = 'is a file; expected a directory';

const editKeys = (edit: (path: string) => string | undefined) => (body: unknown) => ({
  files: Object.fromEntries(
    Object.entries(filesIn(body)).flatMap(([path, content]) => {
      const name = edit(path);
      return name === undefined ? [] : [[name, content]];
    }),
  ),
});

const NO_FILES = 'a write of no files';
const noFiles = (): object => ({ files: {} });
const isUnparsed = ({ state }: Context): boolean => state.workspace !== undefined && state.body === undefined;
const hasLength = ({ headers }: Context): boolean => headers['content-length'] !== '0';

const writes: RowsOf<typeof ID> = {
  [NO_FILES]: accepted((body) => isObject(memberOf(body, 'files')) && Object.keys(filesIn(body)).length === 0),
  'a write of a file where a directory is': alwaysRefused(refusedWith(NOT_A_FILE)),
  'a write of a file below a file': alwaysRefused(
    refusedWith(NOT_A_DIRECTORY, (ctx, message) => !isThePath(ctx, message)),
  ),
  'a write to the path of a file': alwaysRefused(refusedWith(NOT_A_DIRECTORY, isThePath)),
  'a write of an empty path': refused(
    key(/^$/),
    editKeys((path) => path || undefined),
    NO_FILES,
  ),
  'a write of a path that ends in a slash': refused(
    key(/[^/]\/+$/),
    editKeys((path) => path.replace(/\/+$/, '')),
  ),
  'a write of a path with a double slash': accepted(key(/[^/]\/\/+[^/]/)),
  'a write of a path that begins with ./': accepted(key(/^\.\//)),
  'a write of a path with .. in it': accepted(key(DOTS)),
  'a write of an absolute path': accepted(key(/^\//)),
  'a write without files': refused((body) => isObject(body) && body['files'] === undefined, noFiles, NO_FILES),
  'a write with files null': refused((body) => memberOf(body, 'files') === null, noFiles, NO_FILES),
  'a write with a content of null': refused(
    (body) => Object.values(filesIn(body)).includes(null),
    (body) => ({
      files: Object.fromEntries(Object.entries(filesIn(body)).map(([path, content]) => [path, content ?? ''])),
    }),
  ),
  'a write with an additional member': accepted(
    (body) => isObject(body) && Object.keys(body).some((name) => name !== 'files'),
  ),
  'a write of a list': refused(Array.isArray, noFiles, NO_FILES),
  'a write of malformed JSON': alwaysRefused(refusedWrite((ctx) => isUnparsed(ctx) && hasLength(ctx))),
  'a write without a body': alwaysRefused(refusedWrite((ctx) => isUnparsed(ctx) && !hasLength(ctx))),
};

/** Of a write that is refused because of what exists, each other file is written before. */
const writeOthers: Layer = (app) => async (ctx) => {
  const files = isTo('writeTree')(ctx) ? filesIn(await sentBody(ctx)) : {};
  const isSound = Object.values(files).every((content) => typeof content === 'string');
  await app(ctx);
  const { reply: refusal } = ctx.state;
  const inTheWay = [NOT_A_FILE, NOT_A_DIRECTORY].map((text) => refusedWith(text));
  if (!isSound || refusal === undefined || !inTheWay.some((matches) => matches(ctx, refusal))) return;
  for (const [path, content] of Object.entries(files)) await runWithBody(app, ctx, { files: { [path]: content } });
  ctx.state.reply = refusal;
};

const partial: RowsOf<typeof ID> = {
  'other files of a refused write': choice('not written', { written: layered(writeOthers) }),
};

export const sandboxTreeRows: RowsOf<typeof ID> = { ...partial, ...reads, ...writes };
