/** sandbox.undocumented.*: what reads and writes of a tree are answered. */
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../context.ts';
import type { Reply } from '../../endpoint.ts';
import { absolutePath } from '../../sandbox/path.ts';
import { readFile } from '../../sandbox/filesystem.ts';
import { sandboxOf } from '../../sandbox/sandbox-of.ts';
import { routeOf } from '../../routes.ts';
import { answersAs, asksWithBody, isTo, memberOf, refusesWhen, type Answers } from '../layers.ts';
import { cannot, follows, layered, ofForm, type Follow, type Point, type Points } from '../point.ts';
import { anyObject, type Form, type Recast } from '../recast.ts';
import { isObject } from '../../json-object.ts';

const ALLOWED = 'a status and the members, as "422, error", or "204, no body", "200, no JSON"';
const FORM =
  /^(?<status>[2-5]\d\d), (?<form>no body|no JSON|a list|string|number|boolean|object|[^,]+?(?:, [^,]+?)*?)(?<same>, as with the plain path|, as the write was answered)?$/;
const LISTING = '200, files, name, path, subdirectories';

type Saw = Readonly<Record<string, string | undefined>>;

function formOf(words: string): Form {
  if (words === 'no body') return { is: 'nothing' };
  if (words === 'no JSON') return { is: 'text' };
  if (words === 'a list') return { is: 'list' };
  return ['string', 'number', 'boolean'].includes(words) ? { is: 'value', type: words } : anyObject(words.split(', '));
}

const asRecast = ({ status, form = '' }: Saw): Recast => ({ status: Number(status), form: formOf(form) });

/** An answer of the mock that is given another status and form. */
function recasts(own: string, answers: Answers): Point {
  return ofForm(own, ALLOWED, FORM, (saw) => layered(answersAs(answers, asRecast(saw))));
}

const to =
  (id: OperationId, status: number, isOne: (ctx: Context, reply: Reply) => boolean = () => true): Answers =>
  (ctx, reply) =>
    reply.status === status && isTo(id)(ctx) && isOne(ctx, reply);

/** Behind `/filesystem/tree/`, as it was sent. */
const rawPath = ({ path }: Context): string => path.split('/filesystem/tree/')[1] ?? '';
const hasDots = (path: string): boolean => /(^|\/)\.\.(\/|$)/.test(path);
const hasCodedDots = (path: string): boolean => /(^|\/)%2e%2e(\/|$)/i.test(path);

/** A spelling of a directory's path: answered as the plain one, or refused. */
function spelling(own: string, isOne: (path: string) => boolean): Point {
  return ofForm(own, ALLOWED, FORM, (saw): Follow => {
    if (Number(saw['status']) < 300) return follows;
    return layered(answersAs((ctx) => isTo('readTree')(ctx) && isOne(rawPath(ctx)), asRecast(saw)));
  });
}

const PLAIN = `${LISTING}, as with the plain path`;

const reads: Points = {
  'the root of the sandbox': recasts('200, name, workspace', to('getSandboxRoot', 200)),
  'a read of what is not there': recasts(
    '404, error',
    to('readTree', 404, (ctx) => !/%25/.test(rawPath(ctx))),
  ),
  'the list of uploads': recasts('200, uploads', to('listMultipartUploads', 200)),
  'a read of a directory': recasts(`${LISTING}, as the write was answered`, to('readTree', 200)),
  'a read by a path with a leading slash': spelling(PLAIN, (path) => path.startsWith('/')),
  'a read by a path with a leading slash, encoded': spelling(PLAIN, (path) => /^%2F/i.test(path)),
  'a read by a path with encoded slashes': spelling(PLAIN, (path) => /[^/]%2F/i.test(path)),
  'a read by a path with a slash at the end': spelling(PLAIN, (path) => /[^./]\/$/.test(path)),
  'a read by a path with . in it': spelling(PLAIN, (path) => /(^|\/)\.(\/|$)/.test(path)),
  'a read by a path with .. in it': spelling(PLAIN, hasDots),
  'a read by a path with .. encoded': spelling(PLAIN, hasCodedDots),
  'a read of an encoded percent sign': recasts(
    '404, error',
    to('readTree', 404, (ctx) => /%25/.test(rawPath(ctx))),
  ),
  'a read of a file': ofForm('400, error', ALLOWED, FORM, (saw) => layered(readsFiles(asRecast(saw)))),
};

/** A file's text where it is read, and a refusal in another form else. */
function readsFiles(as: Recast): NonNullable<Follow['layer']> {
  const isFile = to('readTree', 400);
  const recast = answersAs(isFile, as);
  if (as.status === undefined || as.status >= 300 || as.form?.is !== 'text') return recast;
  const { status } = as;
  return (app) => async (ctx) => {
    await app(ctx);
    const { reply, world, workspace } = ctx.state;
    if (reply === undefined || workspace === undefined || isFile(ctx, reply) !== true) return;
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
  return ofForm(LISTING, ALLOWED, FORM, (saw) => {
    if (Number(saw['status']) < 300)
      return layered(
        answersAs(
          to('writeTree', 200, (ctx) => isOne(ctx.state.body)),
          asRecast(saw),
        ),
      );
    const refuses = refusesWhen((ctx) => isTo('writeTree')(ctx) && isOne(ctx.state.body), Number(saw['status']));
    const recast = answersAs(
      to('writeTree', Number(saw['status']), (ctx) => isOne(ctx.state.body)),
      asRecast(saw),
    );
    return layered((app) => recast(refuses(app)));
  });
}

/** A write that the mock refuses; where the target takes it, it is taken without what is odd. */
function refused(answers: Answers, plain: (body: unknown) => unknown): Point {
  return ofForm('400, error', ALLOWED, FORM, (saw) =>
    layered(Number(saw['status']) < 300 ? asksWithBody(['writeTree'], plain) : answersAs(answers, asRecast(saw))),
  );
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
  return ofForm('400, error', ALLOWED, FORM, (saw) =>
    Number(saw['status']) < 300
      ? cannot('a file and a directory cannot be at one place')
      : layered(answersAs(answers, asRecast(saw))),
  );
}

const NOT_A_FILE = /is a directory; a file is needed there/;
const NOT_A_DIRECTORY = /is a file; a directory is needed there/;

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
const nothing = (): object => ({ files: {} });

const isWithout = (body: unknown): boolean => isObject(body) && body['files'] === undefined;
const isNull = (body: unknown): boolean => memberOf(body, 'files') === null;
const hasNull = (body: unknown): boolean => Object.values(files(body)).includes(null);
const unread = ({ state }: Context): boolean => state.workspace !== undefined && state.body === undefined;

const writes: Points = {
  'a write of no files': taken((body) => isObject(memberOf(body, 'files')) && Object.keys(files(body)).length === 0),
  'a write of a file in the place of a directory': misplaced(says(NOT_A_FILE)),
  'a write of a file below a file': misplaced(says(NOT_A_DIRECTORY, (ctx, message) => !isThePath(ctx, message))),
  'a write to the path of a file': misplaced(says(NOT_A_DIRECTORY, isThePath)),
  'a write of a path that is empty': refused(
    sent(emptyKey),
    withFiles(
      emptyKey,
      renamed((key) => key || undefined),
    ),
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
  'a write without files': refused(sent(isWithout), (body) => (isWithout(body) ? nothing() : undefined)),
  'a write with files null': refused(sent(isNull), (body) => (isNull(body) ? nothing() : undefined)),
  'a write with a content of null': refused(
    sent(hasNull),
    withFiles(hasNull, (body) =>
      Object.fromEntries(Object.entries(files(body)).map(([key, text]) => [key, text ?? ''])),
    ),
  ),
  'a write with a further member': taken(
    (body) => isObject(body) && Object.keys(body).some((name) => name !== 'files'),
  ),
  'a write of a list': refused(sent(Array.isArray), (body) => (Array.isArray(body) ? nothing() : undefined)),
  'a write of malformed JSON': misplaced(bodyIs((ctx) => unread(ctx) && ctx.headers['content-length'] !== '0')),
  'a write without a body': misplaced(bodyIs((ctx) => unread(ctx) && ctx.headers['content-length'] === '0')),
};

export const sandboxAnswerPoints: Points = { ...reads, ...writes };
