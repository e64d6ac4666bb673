/** sandbox.undocumented.answers: how files are described, and what a watch reports. */
import { Readable } from 'node:stream';
import { IGNORE_PARAMETERS } from '../../../spec/observations/observation-points.ts';
import type { ObservedValue } from '../../../spec/observations/observation.ts';
import { isNoBodyStatus } from '../../../spec/observations/response-kinds.ts';
import { NO_RESPONSE } from '../../../spec/observations/value-kind.ts';
import type { Context } from '../../pipeline/context.ts';
import { isObject } from '../../http/json-object.ts';
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
  editReply,
  isTo,
  memberOf,
  replyOf,
  respond,
  successOf,
  unlessChanged,
  type MatchesReply,
} from '../effects.ts';
import { cannot, choice, layered, type Follow, type Layer, type Row, type RowsOf } from '../row.ts';

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
      if (value === NO_RESPONSE) return cannot('the mock sends the head of a stream at once');
      const { status } = value;
      if (isNoBodyStatus(status)) return layered(respond(isWatched, { status, body: 'nothing' }));
      return layered(status >= 300 ? respond(isWatched, { status }) : openWatch(isWatched, status));
    },
  };
}

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

const isBelow = (line: string, ctx: Context): boolean =>
  line
    .slice(absolutePath(pathIn(ctx)).length)
    .replace(/^\//, '')
    .includes('/');
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

const OWN_PARAMETER = 'ignore';

/** A parameter with patterns of files that are not reported. */
function ignoreParameter(name: string): Row<ObservedValue<'a watch with ?ignore=*.log'>> {
  const rename: Layer = (app) => (ctx) =>
    isTo('watchDirectory')(ctx)
      ? runWith(app, ctx, (query) => {
          const patterns = query.get(name);
          if (name === OWN_PARAMETER) query.delete(name);
          else if (patterns !== null) query.set(OWN_PARAMETER, patterns);
        })
      : app(ctx);
  const [all, some] = ['matching files reported', 'matching files not reported'] as const;
  return name === OWN_PARAMETER ? choice(some, { [all]: layered(rename) }) : choice(all, { [some]: layered(rename) });
}

/** Rows that remove lines are inside those that edit them; the mock's own parameter is removed before another becomes it. */
const watching: RowsOf<typeof ID> = {
  'a watch of an unknown directory': watchOf(404),
  'a watch of a file': watchOf(400),
  'a watch of a file of a subdirectory': reported(
    layered(editLines((line, ctx) => (isBelow(line, ctx) ? undefined : line))),
  ),
  'a watch of a new file without content': reported(cannot('the mock reports every write of a file')),
  'a watch of a file written again with the same content': reported(layered(omitUnchanged)),
  'a watch of a file whose name begins with a dot': reported(
    layered(editLines((line) => (fileOf(line).startsWith('.') ? undefined : line))),
  ),
  'the format of lines': choice('absolute paths', {
    'relative paths': layered(editLines((line) => line.replace(/^\//, ''))),
    names: layered(editLines(fileOf)),
  }),
  ...Object.fromEntries(
    IGNORE_PARAMETERS.toReversed().map((name) => [`a watch with ?${name}=*.log`, ignoreParameter(name)]),
  ),
};

export const sandboxFilesRows: RowsOf<typeof ID> = { ...listing, ...watching };
