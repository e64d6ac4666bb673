/** Handles a request to `/_mock`: finds the call, reads and validates the body, and runs it. */
import { Readable } from 'node:stream';
import { jsonInSlices } from '../../http/slices.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { parseJson, requireIdentity, requireJson } from '../../http/parse-json.ts';
import { methodNotAllowed, unknownPath } from '../../http/problems.ts';
import { createPathRouter, patternOf, type PathMatch } from '../../../spec/path-router.ts';
import { readBytes } from '../../http/read-bytes.ts';
import { calls } from './calls.ts';
import type { AnyControlCall, BodyFormat, ControlRequest } from './control-call.ts';
import { parseQuery } from './query.ts';
import type { Worlds } from './worlds.ts';

const pathOf = (template: string): string => `/_mock${template}`;

const router = createPathRouter(
  Object.entries(calls).flatMap(([template, byMethod]) =>
    Object.entries(byMethod).map(([method, load]) => ({ method, pattern: patternOf(pathOf(template)), value: load })),
  ),
  { strict: true },
);

/** Throws a problem for an unknown path or method, or an invalid body. */
export async function handleControlCall(ctx: Context, worlds: Worlds): Promise<Reply> {
  const { value: load, params } = findCall(ctx);
  const call = await load();
  const query = parseQuery(new URLSearchParams(ctx.querystring), call);
  const body = call.body === undefined ? undefined : await readBody(ctx, call.body);
  const request: ControlRequest = { worlds, served: ctx.state.served, params, query, headers: ctx.headers, body };
  const reply = await call.handle(request as ControlRequest<never>);
  return call.isLarge === true ? inPieces(reply) : reply;
}

/** How deep the containers are whose members are sent one by one: the parts of the uploads of a sandbox. */
const PIECES_DEPTH = 7;

function inPieces(reply: Reply): Reply {
  return { ...reply, body: Readable.from(jsonInSlices(reply.body, PIECES_DEPTH), { objectMode: false }) };
}

function findCall({ method, path }: Context): PathMatch<() => Promise<AnyControlCall>> {
  const match = router.find(method, path);
  if (match !== undefined) return match;
  const methods = router.at(path).flatMap((route) => route.methods);
  if (methods.length > 0) throw methodNotAllowed(method, path, methods);
  throw unknownPath(path, Object.keys(calls).map(pathOf));
}

async function readBody({ req, headers }: Context, format: BodyFormat<unknown>): Promise<unknown> {
  requireIdentity(headers);
  requireJson(headers);
  const bytes = await readBytes(req, format.limitBytes);
  return format.parse(
    format.optional && bytes.length === 0 ? {} : parseJson(bytes, format.limitDepth, format.isWorld !== true),
  );
}
