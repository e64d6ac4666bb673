/** Handles a request to `/_mock`: finds the call, reads and validates the body, and runs it. */
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { parseJson, requireIdentity, requireJson } from '../../http/parse-json.ts';
import { methodNotAllowed, unknownPath } from '../../http/problems.ts';
import { readBytes } from '../../http/read-bytes.ts';
import { calls } from './calls.ts';
import type { AnyControlCall, BodyFormat, ControlRequest } from './control-call.ts';
import type { Worlds } from './worlds.ts';

const PREFIX = '/_mock';

/** Throws a problem for an unknown path or method, or an invalid body. */
export async function handleControlCall(ctx: Context, worlds: Worlds): Promise<Reply> {
  const { load, params } = findCall(ctx);
  const call = await load();
  const body = call.body === undefined ? undefined : await readBody(ctx, call.body);
  const query = new URLSearchParams(ctx.querystring);
  const request: ControlRequest = { worlds, served: ctx.state.served, params, query, headers: ctx.headers, body };
  return call.handle(request as ControlRequest<never>);
}

function findCall({ method, path }: Context): { load: () => Promise<AnyControlCall>; params: Record<string, string> } {
  const below = path.slice(PREFIX.length);
  for (const [template, byMethod] of Object.entries(calls)) {
    const found = patternOf(template).exec(below);
    if (found === null) continue;
    const request = method === 'HEAD' ? 'GET' : method;
    const load = Object.hasOwn(byMethod, request) ? byMethod[request] : undefined;
    if (load === undefined) throw methodNotAllowed(method, path, Object.keys(byMethod));
    return { load, params: { ...found.groups } };
  }
  throw unknownPath(
    path,
    Object.keys(calls).map((template) => PREFIX + template),
  );
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{(\w+)\}/, '(?<$1>[^/]+)')}$`);
}

async function readBody({ req, headers }: Context, format: BodyFormat<unknown>): Promise<unknown> {
  requireIdentity(headers);
  requireJson(headers);
  const bytes = await readBytes(req, format.limitBytes);
  return format.parse(format.optional && bytes.length === 0 ? {} : parseJson(bytes, format.limitDepth));
}
