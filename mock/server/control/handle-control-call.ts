/** Answers a call of `/_mock`: finds it in the table, holds its body to its schema, and hands it over. */
import type { ValidateFunction } from 'ajv';
import { newAjv } from '../../../spec/ajv.ts';
import { findingsOf } from '../../../spec/findings.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { parseJson, requireIdentity, requireJson } from '../../http/parse-json.ts';
import { invalidBody, invalidField, methodNotAllowed, unknownPath } from '../../http/problems.ts';
import { readBytes } from '../../http/read-bytes.ts';
import { calls } from './calls.ts';
import type { ControlRequest, BodySchema, ControlCall } from './control-call.ts';
import type { Worlds } from './worlds.ts';

const PREFIX = '/_mock';

/** Throws a problem for an unknown path or method, and for a body that is not as the call wants it. */
export async function handleControlCall(ctx: Context, worlds: Worlds): Promise<Reply> {
  const { load, params } = findCall(ctx);
  const call = await load();
  const body = call.body === undefined ? undefined : await readBody(ctx, call.body);
  const query = new URLSearchParams(ctx.querystring);
  const request: ControlRequest = { worlds, served: ctx.state.served, params, query, headers: ctx.headers, body };
  return call.handle(request as ControlRequest<never>);
}

function findCall({ method, path }: Context): { load: () => Promise<ControlCall>; params: Record<string, string> } {
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

const validators = new WeakMap<BodySchema, ValidateFunction>();

async function readBody({ req, headers }: Context, form: BodySchema): Promise<unknown> {
  requireIdentity(headers);
  requireJson(headers);
  const bytes = await readBytes(req, form.limitBytes);
  const body = form.optional && bytes.length === 0 ? {} : parseJson(bytes, form.limitDepth);
  const validate = validators.get(form) ?? newAjv({ allErrors: false, strictRequired: false }).compile(form.schema);
  validators.set(form, validate);
  if (!validate(body)) throw refusal(validate);
  return body;
}

/** The general sentence of Ajv's findings has no list of the members that there are. */
function refusal({ errors }: ValidateFunction): Error {
  const [error] = errors ?? [];
  if (error?.keyword !== 'additionalProperties') return invalidBody(findingsOf(errors ?? []));
  const allowed = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
  return invalidField(
    `a member of ${error.instancePath || 'the body'}`,
    error.params['additionalProperty'],
    allowed.join(', '),
  );
}
