/** sandbox.undocumented.*: how files are described, and what a watch tells. */
import { Readable } from 'node:stream';
import { askedWith, askedWithBody, sentBody } from '../../wrap/wrapping.ts';
import type { Context } from '../../pipeline/context.ts';
import { readFile } from '../../domains/sandbox/filesystem.ts';
import { absolutePath } from '../../domains/sandbox/path.ts';
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import type { Sandbox } from '../../domains/sandbox/sandboxes.ts';
import { watchStream } from '../../domains/sandbox/watch-stream.ts';
import { ignorePatterns } from '../../domains/sandbox/watchers.ts';
import { Problem } from '../../http/problems.ts';
import { routeOf } from '../../pipeline/routes.ts';
import { answersAs, answersWith, isSuccess, isTo, memberOf, unlessRecast } from '../layers.ts';
import {
  cannot,
  hasNoBody,
  layered,
  ofForm,
  oneOf,
  type Follow,
  type Layer,
  type Point,
  type Points,
} from '../point.ts';
import { isObject } from '../../http/json-object.ts';

type File = Readonly<Record<string, unknown>>;

/** Describes the files of each listing otherwise; undefined leaves one out. */
const describes = (edit: (file: File) => File | undefined, alsoDirectories = false): Follow =>
  layered(
    answersWith(
      (ctx, reply) => isSuccess(reply) && isTo('writeTree', 'readTree')(ctx),
      (body) => {
        if (!isObject(body)) return body;
        const edited = (member: string) =>
          Array.isArray(body[member]) ? (body[member] as File[]).flatMap((file) => edit(file) ?? []) : body[member];
        const listing = { ...body, files: edited('files') };
        return alsoDirectories ? { ...edit(listing), subdirectories: edited('subdirectories') } : listing;
      },
    ),
  );

/** `0644` as `ls -l` writes it. */
function asLsWrites(octal: unknown): string {
  const bits = Number.parseInt(String(octal), 8);
  const signs = [...'rwxrwxrwx'].map((sign, at) => ((bits >> (8 - at)) & 1 ? sign : '-'));
  return `-${signs.join('')}`;
}

const listing: Points = {
  'owner and group of a file': ofForm(
    'root, root',
    'two names with a comma between them, "none" for one that is not there',
    /^(?<owner>.*), (?<group>[^,]*)$/,
    ({ owner = '', group = '' }) =>
      // Files of a world that are somebody else's stay so.
      describes((file) => {
        const { owner: own, group: ofGroup, ...rest } = file;
        const shown = { owner: own === 'root' ? owner : own, group: ofGroup === 'root' ? group : ofGroup };
        return { ...rest, ...Object.fromEntries(Object.entries(shown).filter(([, name]) => name !== 'none')) };
      }),
  ),
  'the form of permissions': oneOf('octal with a leading 0', {
    octal: () => describes((file) => ({ ...file, permissions: String(file['permissions']).replace(/^0/, '') })),
    'as ls -l has it': () => describes((file) => ({ ...file, permissions: asLsWrites(file['permissions']) })),
    'another form': () => cannot('which form it is, is not told'),
  }),
  'the form of lastModified': oneOf('RFC 3339, with Z', {
    'RFC 3339, with an offset': () =>
      describes((file) => ({ ...file, lastModified: String(file['lastModified']).replace(/Z$/, '+00:00') })),
    'no RFC 3339': () =>
      describes((file) => ({ ...file, lastModified: new Date(String(file['lastModified'])).toUTCString() })),
  }),
  'the form of paths': ofForm(
    'absolute',
    '"absolute" or "relative", each also with ", without the directory"',
    /^(absolute|relative)(, without the directory)?$/,
    (_, saw) => {
      if (saw.endsWith('directory'))
        return describes((file) => ({
          ...file,
          path: `${saw.startsWith('absolute') ? '/' : ''}${String(file['name'])}`,
        }));
      return describes((file) => ({ ...file, path: String(file['path']).replace(/^\//, '') }), true);
    },
  ),
  'a file whose name begins with a dot': oneOf('listed', {
    'not listed': () => describes((file) => (String(file['name']).startsWith('.') ? undefined : file)),
  }),
};

const watches = isTo('watchDirectory');
const pathIn = (ctx: Context): string => routeOf(ctx)?.params['path'] ?? '';

/** Undefined where there is none that takes requests; whoever asks has not been judged yet. */
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

/** A watch of what is no directory. */
function watchOf(own: string): Point {
  const isWatched = unlessRecast((ctx, { status: found }) => watches(ctx) && String(found) === own);
  return ofForm(own, 'a status', /^(?<status>[2-5]\d\d)$|^no answer while nothing is written$/, ({ status }) => {
    if (status === undefined) return cannot('the mock begins its answer at once');
    if (hasNoBody(status)) return layered(answersAs(isWatched, { status: Number(status), form: { is: 'nothing' } }));
    if (Number(status) >= 300) return layered(answersAs(isWatched, { status: Number(status) }));
    return layered((app) => async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      const sandbox = reply !== undefined && (await isWatched(ctx, reply)) ? sandboxIn(ctx) : undefined;
      if (sandbox === undefined) return;
      const ignored = ignorePatterns(new URLSearchParams(ctx.querystring).get('ignore'));
      const body = watchStream(sandbox.watchers, absolutePath(pathIn(ctx)), ignored);
      ctx.state.reply = {
        status: Number(status),
        body,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      };
    });
  });
}

/** Writes the lines of a watch otherwise; undefined keeps one back. Each chunk of the mock's is whole lines. */
const tells =
  (edit: (line: string, ctx: Context) => string | undefined): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (!watches(ctx) || reply?.status !== 200 || !(reply.body instanceof Readable)) return;
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

/** Who writes what is there already has written nothing: whoever watches is not told. */
const keepsTheUnchanged: Layer = (app) => async (ctx) => {
  const sandbox = isTo('writeTree')(ctx) ? sandboxIn(ctx) : undefined;
  const body = sandbox && (await sentBody(ctx));
  const files = memberOf(body, 'files');
  if (sandbox === undefined || !isObject(body) || !isObject(files)) return app(ctx);
  const changed = Object.entries(files).filter(([path, content]) => !isThere(sandbox, pathIn(ctx), path, content));
  if (changed.length === Object.keys(files).length) return app(ctx);
  return askedWithBody(app, ctx, { ...body, files: Object.fromEntries(changed) });
};

function isThere({ filesystem }: Sandbox, directory: string, path: string, content: unknown): boolean {
  try {
    return (
      typeof content === 'string' && readFile(filesystem, `${directory}/${path}`)?.equals(Buffer.from(content)) === true
    );
  } catch (error) {
    if (error instanceof Problem) return false; // The write says what is wrong with the path.
    throw error;
  }
}

const told = (layer?: Layer): Point =>
  oneOf('told', {
    'not told': () => (layer === undefined ? cannot('the mock tells of every write of a file') : layered(layer)),
  });

const OWN_NAME = 'ignore';

/** A parameter by whose patterns files are kept back. */
function ignores(name: string): Point {
  const layer: Layer = (app) => (ctx) =>
    watches(ctx)
      ? askedWith(app, ctx, (query) => {
          const patterns = query.get(name);
          if (name === OWN_NAME) query.delete(name);
          else if (patterns !== null) query.set(OWN_NAME, patterns);
        })
      : app(ctx);
  return name === OWN_NAME
    ? oneOf('kept back', { 'told all the same': () => layered(layer) })
    : oneOf('told all the same', { 'kept back': () => layered(layer) });
}

const otherNames = ['ignorePatterns', 'ignore_patterns', 'exclude', 'excludePatterns', 'patterns'];

/** What keeps lines back is inside of what writes them otherwise; the mock's own parameter goes before another becomes it. */
const watching: Points = {
  'a watch of a directory that is not there': watchOf('404'),
  'a watch of a file': watchOf('400'),
  'a watch of a file of a directory below': told(tells((line, ctx) => (isBelow(line, ctx) ? undefined : line))),
  'a watch of a new file without content': told(),
  'a watch of a file written again with the content it has': told(keepsTheUnchanged),
  'a watch of a file whose name begins with a dot': told(
    tells((line) => (fileOf(line).startsWith('.') ? undefined : line)),
  ),
  'the form of lines': oneOf('absolute paths', {
    'relative paths': () => layered(tells((line) => line.replace(/^\//, ''))),
    names: () => layered(tells(fileOf)),
  }),
  ...Object.fromEntries([...otherNames, OWN_NAME].map((name) => [`a watch with ?${name}=*.log`, ignores(name)])),
};

export const sandboxListingPoints: Points = { ...listing, ...watching };
