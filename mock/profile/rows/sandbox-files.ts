/** sandbox.undocumented.answers: how files are described, and what a watch reports. */
import { once } from 'node:events';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { IGNORE_PARAMETERS } from '../../../spec/observations/observation-points.ts';
import type { ObservedValue } from '../../../spec/observations/observation.ts';
import { isNoBodyStatus, objectOf } from '../../../spec/observations/response-kinds.ts';
import { NO_RESPONSE, type IgnorePattern, type LineMember } from '../../../spec/observations/value-kind.ts';
import type { Context } from '../../pipeline/context.ts';
import { isObject } from '../../../spec/json-object.ts';
import { matchesWildcard } from '../../../spec/wildcard.ts';
import { Problem } from '../../http/problems.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { readFile } from '../../domains/sandbox/filesystem.ts';
import { absolutePath } from '../../domains/sandbox/path.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import type { Sandbox } from '../../domains/sandbox/sandboxes.ts';
import { watchStream } from '../../domains/sandbox/watch-stream.ts';
import { ignorePatterns } from '../../domains/sandbox/watchers.ts';
import { runWith, runWithBody, sentBody } from '../../wrap/wrapping.ts';
import {
  changed,
  editReply,
  isTo,
  memberOf,
  replyOf,
  respond,
  successOf,
  unlessChanged,
  type MatchesReply,
} from '../effects.ts';
import { cannot, choice, layered, unchanged, type Follow, type Layer, type Row, type RowsOf } from '../row.ts';

const ID = 'sandbox.undocumented.answers';
type File = Readonly<Record<string, unknown>>;

/** Edits the files of each listing; undefined removes one. */
const editFiles = (edit: (file: File) => File | undefined, alsoDirectories = false): Follow =>
  layered(
    editReply(successOf('writeTree', 'readTree'), (body) => {
      if (!isObject(body)) return body;
      const edited = (member: string) =>
        Array.isArray(body[member]) ? (body[member] as File[]).flatMap((file) => edit(file) ?? []) : body[member];
      const files = { ...body, files: edited('files') };
      return alsoDirectories ? { ...edit(files), subdirectories: edited('subdirectories') } : files;
    }),
  );

/** `0644` as `ls -l` writes it. */
function asLsWrites(octal: string): string {
  const bits = Number.parseInt(octal, 8);
  const letters = [...'rwxrwxrwx'].map((letter, at) => ((bits >> (8 - at)) & 1 ? letter : '-'));
  return `-${letters.join('')}`;
}

const permissions = (edit: (octal: string) => string): Follow =>
  editFiles((file) => ({ ...file, permissions: edit(String(file['permissions'])) }));
const lastModified = (edit: (text: string) => string): Follow =>
  editFiles((file) => ({ ...file, lastModified: edit(String(file['lastModified'])) }));
const withoutDirectory = (prefix: string): Follow =>
  editFiles((file) => ({ ...file, path: `${prefix}${String(file['name'])}` }));

const listing: RowsOf<typeof ID> = {
  'owner and group of a file': {
    own: { owner: 'root', group: 'root' },
    follow: ({ owner, group }) =>
      // Files of a world that belong to others keep their owner.
      editFiles(({ owner: ownOwner, group: ownGroup, ...rest }) => {
        const named = { owner: ownOwner === 'root' ? owner : ownOwner, group: ownGroup === 'root' ? group : ownGroup };
        return { ...rest, ...Object.fromEntries(Object.entries(named).filter(([, name]) => name !== null)) };
      }),
  },
  'the format of permissions': choice('octal with a leading 0', {
    octal: permissions((octal) => octal.replace(/^0/, '')),
    'as in ls -l': permissions(asLsWrites),
    'another format': cannot('the format was not recorded'),
  }),
  'the format of lastModified': choice('RFC 3339 with Z', {
    'RFC 3339 with an offset': lastModified((text) => text.replace(/Z$/, '+00:00')),
    'not RFC 3339': lastModified((text) => new Date(text).toUTCString()),
  }),
  'the format of paths': choice('absolute', {
    relative: editFiles((file) => ({ ...file, path: String(file['path']).replace(/^\//, '') }), true),
    'absolute, without the directory': withoutDirectory('/'),
    'relative, without the directory': withoutDirectory(''),
  }),
  'a file whose name begins with a dot': choice('listed', {
    'not listed': editFiles((file) => (String(file['name']).startsWith('.') ? undefined : file)),
  }),
};

const pathIn = (ctx: Context): string => routeOf(ctx)?.params['path'] ?? '';

/** Undefined if none accepts requests. Called before authentication. */
function sandboxIn(ctx: Context): Sandbox | undefined {
  const { world } = ctx.state;
  const path = routeOf(ctx)?.params ?? {};
  const workspace = world.workspaces.get(path['workspace'] ?? '');
  if (workspace === undefined) return undefined;
  try {
    return sandboxOf({ world, workspace, path });
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

type Head = ObservedValue<'a watch of a file'>;

/** A watch of something that is not a directory. */
function watchOf(own: number): Row<Head> {
  const isWatched = unlessChanged(replyOf('watchDirectory', own));
  return {
    own: { status: own },
    follow: (value) => {
      if (value === NO_RESPONSE) return layered(waitForEnd(isWatched));
      const { status } = value;
      if (isNoBodyStatus(status)) return layered(respond(isWatched, { status, body: 'nothing' }));
      return layered(status >= 300 ? respond(isWatched, { status }) : openWatch(isWatched, status));
    },
  };
}

/** Like a watch whose headers arrive with the first line, and that has no lines. */
const waitForEnd =
  (matches: MatchesReply): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply !== undefined && (await matches(ctx, reply))) await once(ctx.res, 'close');
  };

const openWatch =
  (matches: MatchesReply, status: number): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    const sandbox = reply !== undefined && (await matches(ctx, reply)) ? sandboxIn(ctx) : undefined;
    if (sandbox === undefined) return;
    const ignored = ignorePatterns(new URLSearchParams(ctx.querystring).get('ignore'));
    const body = watchStream(sandbox.watchers, absolutePath(pathIn(ctx)), ignored);
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    ctx.state.reply = { status, body, headers };
  };

/** Edits the lines of a watch; undefined removes one. Each chunk of the mock consists of whole lines. */
const editLines =
  (edit: (line: string, ctx: Context) => string | undefined): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (!isTo('watchDirectory')(ctx) || reply?.status !== 200 || !(reply.body instanceof Readable)) return;
    const lines = (chunk: unknown) =>
      String(chunk)
        .split('\n')
        .flatMap((line) => (line === '' ? [] : (edit(line, ctx) ?? [])))
        .map((line) => `${line}\n`)
        .join('');
    ctx.state.reply = { ...reply, body: reply.body.map(lines).filter((text: string) => text !== '') };
  };

/** The path of a line below the watched directory. */
const belowWatch = (line: string, ctx: Context): string =>
  line.slice(absolutePath(pathIn(ctx).replace(/\/\*\*$/, '')).length).replace(/^\//, '');
const isBelow = (line: string, ctx: Context): boolean => belowWatch(line, ctx).includes('/');
const fileOf = (line: string): string => line.slice(line.lastIndexOf('/') + 1);

/** Writing a file with the content that it has is not reported: the write omits it. */
const omitUnchanged: Layer = (app) => async (ctx) => {
  const sandbox = isTo('writeTree')(ctx) ? sandboxIn(ctx) : undefined;
  const body = sandbox && (await sentBody(ctx));
  const files = memberOf(body, 'files');
  if (sandbox === undefined || !isObject(body) || !isObject(files)) return app(ctx);
  const others = Object.entries(files).filter(([path, content]) => !hasContent(sandbox, pathIn(ctx), path, content));
  if (others.length === Object.keys(files).length) return app(ctx);
  return runWithBody(app, ctx, { ...body, files: Object.fromEntries(others) });
};

function hasContent({ filesystem }: Sandbox, directory: string, path: string, content: unknown): boolean {
  try {
    return (
      typeof content === 'string' && readFile(filesystem, `${directory}/${path}`)?.equals(Buffer.from(content)) === true
    );
  } catch (error) {
    if (error instanceof Problem) return false; // The write refuses the path.
    throw error;
  }
}

const reported = (follow: Follow): Row<'reported' | 'not reported'> => choice('reported', { 'not reported': follow });

/** The path that a watch was sent with, and with `**` at its end. */
const rawWatchPath = ({ path }: Context): string => path.split('/watch/filesystem/')[1] ?? '';
const ALL_BELOW = /(?:\/|%2F)\*\*$/i;
const isDeep = (ctx: Context): boolean => isTo('watchDirectory')(ctx) && ALL_BELOW.test(rawWatchPath(ctx));

/** Responds as if the watch had been of another path, percent-encoded; undefined leaves it unchanged. */
const withWatchPath =
  (edit: (path: string, ctx: Context) => string | undefined): Layer =>
  (app) =>
  async (ctx) => {
    const raw = rawWatchPath(ctx);
    const other = isTo('watchDirectory')(ctx) ? edit(raw, ctx) : undefined;
    if (other === undefined) return app(ctx);
    const { url } = ctx;
    ctx.path = ctx.path.slice(0, -raw.length) + other;
    try {
      await app(ctx);
    } finally {
      ctx.url = url;
    }
  };

/** The mock has no such directory, which is why a relative path leads nowhere. */
const WORKING_DIRECTORY = '%2Fworking-directory%2F';
const onlyIf = (isAbsolute: RegExp): Follow =>
  layered(withWatchPath((path) => (isAbsolute.test(path) ? undefined : `${WORKING_DIRECTORY}${path}`)));

const watchPaths: Row<ObservedValue<'the path of a watch'>> = {
  own: 'as in tree requests',
  follow: (value, { valueAt }) => {
    const unknown = valueAt(ID, 'a watch of an unknown directory');
    if (unknown === NO_RESPONSE || (unknown !== undefined && ![400, 404, 422].includes(unknown.status)))
      return cannot('a watch of an unknown directory has another status than 400, 404 and 422');
    return onlyIf(value === 'absolute' ? /^(?:\/|%2F)/i : /^%2F/i);
  },
};

/** The status of a path that ends in two asterisks is that of an unknown directory, unless it is observed itself. */
const depth: Row<ObservedValue<'a watch of a path that ends in /**'>> = {
  own: ({ valueAt }) => {
    const head = valueAt(ID, 'a watch of an unknown directory') ?? { status: 404 };
    if (head === NO_RESPONSE) return undefined;
    return head.status < 300 ? 'nothing is reported' : { status: head.status };
  },
  follow: (value) => {
    if (value === 'nothing is reported') return cannot('the mock refuses watches of unknown directories');
    if (typeof value === 'object') {
      const isRefused = (ctx: Context): boolean => isDeep(ctx) && ctx.state.workspace !== undefined;
      const body = isNoBodyStatus(value.status) ? 'nothing' : objectOf('error');
      return layered(respond(isRefused, { status: value.status, body }));
    }
    const below: Layer = withWatchPath((path) => (ALL_BELOW.test(path) ? path.replace(ALL_BELOW, '') : undefined));
    const direct = editLines((line, ctx) => (isDeep(ctx) && isBelow(line, ctx) ? undefined : line));
    return layered(value === 'with subdirectories' ? below : (app) => direct(below(app)));
  },
};

const OWN_PARAMETER = 'ignore';

const matches: Readonly<Record<IgnorePattern, (name: string, pattern: string) => boolean>> = {
  'exact name': (name, pattern) => name === pattern,
  glob: (name, pattern) => pattern.includes('*') && matchesWildcard(name, pattern, { one: true }),
  extension: (name, pattern) => name.endsWith(pattern) && name !== pattern,
  prefix: (name, pattern) => name.startsWith(pattern) && name !== pattern,
  'part of a name': (name, pattern) => name.includes(pattern) && !name.startsWith(pattern) && !name.endsWith(pattern),
};

/** A parameter with patterns of files that are not reported. */
function ignoreParameter(name: string): Row<readonly IgnorePattern[]> {
  const own: readonly IgnorePattern[] = name === OWN_PARAMETER ? ['exact name', 'glob'] : [];
  return {
    own,
    follow: (kinds) => {
      const withoutIt: Layer = (app) => (ctx) =>
        isTo('watchDirectory')(ctx) ? runWith(app, ctx, (query) => query.delete(name)) : app(ctx);
      const filtered = editLines((line, ctx) => {
        const patterns = ignorePatterns(new URLSearchParams(ctx.querystring).get(name));
        const names = belowWatch(line, ctx).split('/');
        const isIgnored = patterns.some((pattern) =>
          kinds.some((kind) => names.some((each) => matches[kind](each, pattern))),
        );
        return isIgnored ? undefined : line;
      });
      return layered((app) => filtered(withoutIt(app)));
    },
  };
}

/** Values of the members of a line's JSON object that do not depend on the file. */
const constants: Readonly<Record<Exclude<LineMember, 'name' | 'path' | 'directory'>, unknown>> = {
  null: null,
  string: 'WRITE',
  number: 0,
  boolean: true,
  list: [],
  object: {},
};

function asObject(members: Readonly<Record<string, LineMember>>, line: string): string {
  const ofFile = { name: fileOf(line), path: line, directory: line.slice(0, line.lastIndexOf('/')) };
  const values = { ...constants, ...ofFile };
  return JSON.stringify(Object.fromEntries(Object.entries(members).map(([name, member]) => [name, values[member]])));
}

/** Of a deployment that breaks sandbox.watch.every-write-a-line, too: its clients have to cope with it. */
const format: Row<ObservedValue<'the format of lines'>> = {
  own: 'absolute paths',
  follow: (value) => {
    if (typeof value === 'object') return layered(editLines((line) => asObject(value.members, line)));
    if (value === 'another format') return cannot('the format was not recorded');
    return layered(editLines(value === 'names' ? fileOf : (line) => line.replace(/^\//, '')));
  },
};

/** Changes the stream of each watch. */
const editStream =
  (edit: (body: Readable, ctx: Context) => Readable | Promise<Readable>): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (isTo('watchDirectory')(ctx) && reply?.status === 200 && reply.body instanceof Readable)
      ctx.state.reply = { ...reply, body: await edit(reply.body, ctx) };
  };

/** Sends a line again and again, whatever else is sent. */
function withKeepAlive(body: Readable, line: string, everySeconds: number): Readable {
  const kept = new PassThrough();
  const timer = setInterval(() => kept.write(`${line}\n`), everySeconds * 1000);
  kept.once('close', () => clearInterval(timer));
  return pipeline(body, kept, () => clearInterval(timer));
}

/** The response waits for the first line, unless the head itself was observed, and ends with the request. */
async function withLateHead(body: Readable, ctx: Context): Promise<Readable> {
  if (changed.has(ctx)) return body;
  const late = new PassThrough();
  const isReady = new Promise<void>((resolve) => {
    late.once('readable', resolve);
    late.once('close', resolve);
    ctx.res.once('close', () => late.destroy());
  });
  pipeline(body, late, () => {});
  await isReady;
  return late;
}

/** Rows that remove lines are inside those that edit them. */
const watching: RowsOf<typeof ID> = {
  'a watch of an unknown directory': watchOf(404),
  'a watch of a file': watchOf(400),
  'the path of a watch': watchPaths,
  'a watch of a path that ends in /**': depth,
  'a watch of a file of a subdirectory': reported(
    layered(editLines((line, ctx) => (isBelow(line, ctx) && !isDeep(ctx) ? undefined : line))),
  ),
  'a watch of a new file without content': reported(cannot('the mock reports every write of a file')),
  'a watch of a file written again with the same content': reported(layered(omitUnchanged)),
  'a watch of a file whose name begins with a dot': reported(
    layered(editLines((line) => (fileOf(line).startsWith('.') ? undefined : line))),
  ),
  ...Object.fromEntries(IGNORE_PARAMETERS.map((name) => [`a watch with ?${name}`, ignoreParameter(name)])),
  'the format of lines': format,
  'keep-alive lines': {
    own: 'none',
    follow: (value) =>
      value === 'none' ? unchanged : layered(editStream((body) => withKeepAlive(body, value.line, value.everySeconds))),
  },
  'the headers of a watch': choice('at once', { 'with the first line': layered(editStream(withLateHead)) }),
};

export const sandboxFilesRows: RowsOf<typeof ID> = { ...listing, ...watching };
