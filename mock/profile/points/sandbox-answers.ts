/** sandbox.undocumented.*: what reads and writes of a tree are answered. */
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { absolutePath } from '../../domains/sandbox/path.ts';
import { readFile } from '../../domains/sandbox/filesystem.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { routeOf } from '../../pipeline/routes.ts';
import {
  answersAs,
  asksWithBody,
  isTo,
  memberOf,
  refusesWhen,
  type Answers,
  recastOnes,
  unlessRecast,
} from '../layers.ts';
import {
  cannot,
  hasNoBody,
  layered,
  namesIn,
  ofForm,
  type Follow,
  type Given,
  type Point,
  type Points,
} from '../point.ts';
import { anyObject, type Form, type Recast } from '../recast.ts';
import { isObject } from '../../http/json-object.ts';

const ALLOWED = 'a status and the members, as "422, error", or "204, no body", "200, no JSON"';
const FORM =
  /^(?<status>[2-5]\d\d), (?<form>no body|no JSON|a list|[^\s,]+(?:, [^\s,]+)*?)(?<same>, as with the plain path|, as the write was answered)?$/;
const LISTING = '200, files, name, path, subdirectories';

type Saw = Readonly<Record<string, string | undefined>>;

const FORMS: Readonly<Record<string, Form>> = {
  'no body': { is: 'nothing' },
  'no JSON': { is: 'text' },
  'a list': { is: 'list' },
  string: { is: 'value', type: 'string' },
  number: { is: 'value', type: 'number' },
  boolean: { is: 'value', type: 'boolean' },
};

/** Undefined where no answer has that form. */
function asRecast({ status, form: words = '' }: Saw): Recast | undefined {
  const names = namesIn(words);
  const form = Object.hasOwn(FORMS, words) ? FORMS[words] : names && anyObject(names);
  return form === undefined || (hasNoBody(status) && form.is !== 'nothing')
    ? undefined
    : { status: Number(status), form };
}

const recasting = (answers: Answers, saw: Saw): Follow | undefined => {
  const recast = asRecast(saw);
  return recast && layered(answersAs(answers, recast));
};

/** Words without a comparison to another answer. */
const plain = (own: string, follow: (saw: Saw, words: string, given: Given) => Follow | undefined): Point =>
  ofForm(own, ALLOWED, FORM, (saw, words, given) =>
    saw['same'] === undefined ? follow(saw, words, given) : undefined,
  );

/** An answer of the mock that is given another status and form. */
const recasts = (own: string, answers: Answers): Point => plain(own, (saw) => recasting(unlessRecast(answers), saw));

const to =
  (id: OperationId, status: number, isOne: (ctx: Context, reply: Reply) => boolean = () => true): Answers =>
  (ctx, reply) =>
    reply.status === status && isTo(id)(ctx) && isOne(ctx, reply);

/** Behind `/filesystem/tree/`, as it was sent. */
const rawPath = ({ path }: Context): string => path.split('/filesystem/tree/')[1] ?? '';
const hasDots = (path: string): boolean => /(^|\/)\.\.(\/|$)/.test(path);
const hasCodedDots = (path: string): boolean => /(^|\/)%2e%2e(\/|$)/i.test(path);

/** Of an answer that the case compares with that of the plain path. */
const unlikePlain = (own: string, answers: Answers): Point =>
  plain(own, (saw, _, { seenAt }) =>
    seenAt(READ)?.includes(`, ${saw['form']}`) === true ? cannot(SAME_BODY) : recasting(unlessRecast(answers), saw),
  );

const SAME_BODY = 'its body would be that of the plain path';

/** A spelling of a directory's path: answered as the plain one, or refused. */
function spelling(isOne: (path: string) => boolean): Point {
  const point = plain(`${LISTING}, as with the plain path`, (saw, _, { seenAt }) => {
    if (Number(saw['status']) < 300) return cannot('the mock reads it as the plain path');
    if (seenAt(READ)?.includes(`, ${saw['form']}`) === true) return cannot(SAME_BODY);
    return recasting((ctx) => {
      const isSpelt = isTo('readTree')(ctx) && isOne(rawPath(ctx));
      if (isSpelt) recastOnes.add(ctx);
      return isSpelt;
    }, saw);
  });
  return { ...point, ownWith: ({ seenAt }) => asPlain(seenAt(READ)) };
}

/** An answer that is no JSON is compared with none. */
function asPlain(read: string | undefined): string | undefined {
  const words = read?.replace(AS_WRITTEN, '');
  return words === undefined || /, no (?:body|JSON)$/.test(words) ? words : `${words}, as with the plain path`;
}

const READ = 'a read of a directory';
const AS_WRITTEN = ', as the write was answered';

const isDirectory = to('readTree', 200, (ctx) => !recastOnes.has(ctx));

/** Both answers are made of the same listing: they are the same where the form is. */
const directory = ofForm(LISTING + AS_WRITTEN, ALLOWED, FORM, (saw, words) => {
  if (saw['same'] === ', as with the plain path') return undefined;
  const isAsWritten = LISTING.endsWith(`, ${saw['form']}`);
  if (isAsWritten !== words.endsWith(AS_WRITTEN)) return cannot('the mock answers reads and writes from one listing');
  if (Number(saw['status']) >= 300) return cannot('what is there is listed (sandbox.tree.*)');
  if (isAsWritten && hasNoBody(saw['status'])) return undefined;
  // In the order of the mock's own members: the two are compared sign by sign.
  return isAsWritten ? layered(answersAs(isDirectory, { status: Number(saw['status']) })) : recasting(isDirectory, saw);
});

const reads: Points = {
  'the root of the sandbox': recasts('200, name, workspace', to('getSandboxRoot', 200)),
  'a read of what is not there': recasts(
    '404, error',
    to('readTree', 404, (ctx) => !/%25/.test(rawPath(ctx))),
  ),
  'the list of uploads': recasts('200, uploads', to('listMultipartUploads', 200)),
  [READ]: directory,
  'a read by a path with a leading slash': spelling((path) => path.startsWith('/')),
  'a read by a path with a leading slash, encoded': spelling((path) => /^%2F/i.test(path)),
  'a read by a path with encoded slashes': spelling((path) => /[^/]%2F/i.test(path)),
  'a read by a path with a slash at the end': spelling((path) => /[^./]\/$/.test(path)),
  'a read by a path with . in it': spelling((path) => /(^|\/)\.(\/|$)/.test(path)),
  'a read by a path with .. in it': spelling(hasDots),
  'a read by a path with .. encoded': spelling(hasCodedDots),
  'a read of an encoded percent sign': unlikePlain(
    '404, error',
    to('readTree', 404, (ctx) => /%25/.test(rawPath(ctx))),
  ),
  'a read of a file': plain('400, error', (saw) => {
    const recast = asRecast(saw);
    return recast && layered(readsFiles(recast));
  }),
};

/** A file's text where it is read, and a refusal in another form else. */
function readsFiles(as: Recast): NonNullable<Follow['layer']> {
  const isFile = unlessRecast(to('readTree', 400));
  const recast = answersAs(isFile, as);
  if (as.status === undefined || as.status >= 300 || as.form?.is !== 'text') return recast;
  const { status } = as;
  return (app) => async (ctx) => {
    await app(ctx);
    const { reply, world, workspace } = ctx.state;
    if (reply === undefined || workspace === undefined || !(await isFile(ctx, reply))) return;
    const path = routeOf(ctx)?.params ?? {};
    const file = readFile(sandboxOf({ world, workspace, path }).filesystem, path['path'] ?? '');
    if (file !== undefined)
      ctx.state.reply = { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: file };
  };
}

const files = (body: unknown): Readonly<Record<string, unknown>> => {
  const found = memberOf(body, 'files');
  return isObject(found) ? found : {};
};
const keyIs =
  (isOne: (key: string) => boolean) =>
  (body: unknown): boolean =>
    Object.keys(files(body)).some(isOne);

/** A write that the mock takes. */
function taken(isOne: (body: unknown) => boolean): Point {
  const isAsked = (ctx: Context): boolean => isTo('writeTree')(ctx) && isOne(ctx.state.body);
  return plain(LISTING, (saw) => {
    const recast = asRecast(saw);
    if (recast === undefined) return undefined;
    const status = Number(saw['status']);
    if (status < 300) return layered(answersAs(to('writeTree', 200, isAsked), recast));
    const refuses = refusesWhen(isAsked, status);
    const shows = answersAs(to('writeTree', status, isAsked), recast);
    return layered((app) => shows(refuses(app)));
  });
}

/** A write that the mock refuses; where the target takes it, it is taken without what is odd, as the one `like` it. */
function refused(answers: Answers, without: (body: unknown) => unknown, like?: string): Point {
  return plain('400, error', (saw, words, { seenAt }) => {
    if (Number(saw['status']) >= 300) return recasting(answers, saw);
    return words === (like === undefined ? LISTING : seenAt(like))
      ? layered(asksWithBody(['writeTree'], without))
      : cannot('the mock answers it as the write without what is odd');
  });
}

const says =
  (form: RegExp, isOne: (ctx: Context, message: string) => boolean = () => true): Answers =>
  (ctx, reply) => {
    const message = String(memberOf(reply.body, 'error'));
    return reply.status === 400 && isTo('writeTree')(ctx) && form.test(message) && isOne(ctx, message);
  };

/** The file is what the path of the request names. */
const isThePath = (ctx: Context, message: string): boolean =>
  message.startsWith(`${JSON.stringify(absolutePath(routeOf(ctx)?.params['path'] ?? ''))} is a file`);

function misplaced(answers: Answers): Point {
  return plain('400, error', (saw) =>
    Number(saw['status']) < 300 ? cannot('a file and a directory cannot be at one place') : recasting(answers, saw),
  );
}

const NOT_A_FILE = /is a directory; expected a file/;
const NOT_A_DIRECTORY = /is a file; expected a directory/;

const withFiles =
  (isOne: (body: unknown) => boolean, edit: (body: unknown) => object) =>
  (body: unknown): unknown =>
    isOne(body) ? { files: edit(body) } : undefined;
const renamed = (rename: (key: string) => string | undefined) => (body: unknown) =>
  Object.fromEntries(
    Object.entries(files(body)).flatMap(([key, content]) => {
      const name = rename(key);
      return name === undefined ? [] : [[name, content]];
    }),
  );

const emptyKey = keyIs((key) => key === '');
const slashAtEnd = keyIs((key) => /[^/]\/+$/.test(key));
const bodyIs =
  (isOne: (ctx: Context) => boolean): Answers =>
  (ctx, reply) =>
    reply.status === 400 && isTo('writeTree')(ctx) && isOne(ctx);
const sent = (isOne: (body: unknown) => boolean): Answers =>
  bodyIs(({ state }) => state.body !== undefined && isOne(state.body));
const NO_FILES = 'a write of no files';
const nothing = (): object => ({ files: {} });

const isWithout = (body: unknown): boolean => isObject(body) && body['files'] === undefined;
const isNull = (body: unknown): boolean => memberOf(body, 'files') === null;
const hasNull = (body: unknown): boolean => Object.values(files(body)).includes(null);
const unread = ({ state }: Context): boolean => state.workspace !== undefined && state.body === undefined;

const writes: Points = {
  [NO_FILES]: taken((body) => isObject(memberOf(body, 'files')) && Object.keys(files(body)).length === 0),
  'a write of a file in the place of a directory': misplaced(says(NOT_A_FILE)),
  'a write of a file below a file': misplaced(says(NOT_A_DIRECTORY, (ctx, message) => !isThePath(ctx, message))),
  'a write to the path of a file': misplaced(says(NOT_A_DIRECTORY, isThePath)),
  'a write of a path that is empty': refused(
    sent(emptyKey),
    withFiles(
      emptyKey,
      renamed((key) => key || undefined),
    ),
    NO_FILES,
  ),
  'a write of a path that ends in a slash': refused(
    sent(slashAtEnd),
    withFiles(
      slashAtEnd,
      renamed((key) => key.replace(/\/+$/, '')),
    ),
  ),
  'a write of a path with a double slash': taken(keyIs((key) => /[^/]\/\/+[^/]/.test(key))),
  'a write of a path that begins with ./': taken(keyIs((key) => key.startsWith('./'))),
  'a write of a path with .. in it': taken(keyIs(hasDots)),
  'a write of an absolute path': taken(keyIs((key) => key.startsWith('/'))),
  'a write without files': refused(sent(isWithout), (body) => (isWithout(body) ? nothing() : undefined), NO_FILES),
  'a write with files null': refused(sent(isNull), (body) => (isNull(body) ? nothing() : undefined), NO_FILES),
  'a write with a content of null': refused(
    sent(hasNull),
    withFiles(hasNull, (body) =>
      Object.fromEntries(Object.entries(files(body)).map(([key, text]) => [key, text ?? ''])),
    ),
  ),
  'a write with a further member': taken(
    (body) => isObject(body) && Object.keys(body).some((name) => name !== 'files'),
  ),
  'a write of a list': refused(sent(Array.isArray), (body) => (Array.isArray(body) ? nothing() : undefined), NO_FILES),
  'a write of malformed JSON': misplaced(bodyIs((ctx) => unread(ctx) && ctx.headers['content-length'] !== '0')),
  'a write without a body': misplaced(bodyIs((ctx) => unread(ctx) && ctx.headers['content-length'] === '0')),
};

export const sandboxAnswerPoints: Points = { ...reads, ...writes };
