/** agents.runtime.*: values of an agent that the document says nothing about. */
import { documentOf } from '../../../spec/documents.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { MASK } from '../../domains/resources/rules/secrets.ts';
import type { Context } from '../../pipeline/context.ts';
import { answersWith, asksWithBody, isSuccess, isTo, memberOf, refusesWhen } from '../layers.ts';
import { layered, ofForm, type Point, type Points } from '../point.ts';
import { isObject } from '../../http/json-object.ts';

const WRITES: readonly OperationId[] = ['updateAgent', 'createAgent'];
const writesAgent = isTo(...WRITES);
const COMES_BACK = '200, and comes back';
const FORM = /^(?:200, and does not come back as sent|(?<status>[345]\d\d))$/;

/** Names, by the path to the object that has them, of what is odd about a spec; none where nothing is. */
type Odd = (spec: unknown) => readonly { readonly path: readonly string[]; readonly name: string }[];

function odd(isOdd: Odd): Point {
  return ofForm(
    COMES_BACK,
    `"${COMES_BACK}", "200, and does not come back as sent", or the status of a refusal`,
    FORM,
    ({ status }) => {
      if (status === undefined) return layered(asksWithBody(WRITES, (body) => without(body, isOdd)));
      const concerns = (ctx: Context) => writesAgent(ctx) && isOdd(memberOf(ctx.state.body, 'spec')).length > 0;
      return layered(
        refusesWhen(concerns, Number(status), {
          message: 'The spec has a value that the target which this mock follows refuses.',
        }),
      );
    },
  );
}

/** The body without what is odd; undefined where nothing is. */
function without(body: unknown, isOdd: Odd): unknown {
  const found = isOdd(memberOf(body, 'spec'));
  if (found.length === 0) return undefined;
  const copy: unknown = structuredClone(body);
  for (const { path, name } of found) delete (memberOf(copy, 'spec', ...path) as Record<string, unknown>)[name];
  return copy;
}

const number =
  (at: string, name: string, isOne: (value: number) => boolean): Odd =>
  (spec) => {
    const value = memberOf(spec, at, name);
    return typeof value === 'number' && isOne(value) ? [{ path: [at], name }] : [];
  };

const unknownIn =
  (path: readonly string[], schema: 'AgentSpec' | 'AgentRuntime'): Odd =>
  (spec) => {
    const known = new Set(Object.keys(documentOf('management').components.schemas[schema]?.properties ?? {}));
    const parent = memberOf(spec, ...path);
    return isObject(parent)
      ? Object.keys(parent)
          .filter((name) => !known.has(name))
          .map((name) => ({ path, name }))
      : [];
  };

const scaleOddly: Odd = (spec) => {
  const [least, most] = ['minScale', 'maxScale'].map((name) => memberOf(spec, 'runtime', name));
  return typeof least === 'number' && typeof most === 'number' && least > most
    ? [{ path: ['runtime'], name: 'minScale' }]
    : [];
};

const namedTwice: Odd = (spec) => {
  const envs = memberOf(spec, 'runtime', 'envs');
  const names = Array.isArray(envs) ? envs.map((env) => memberOf(env, 'name')) : [];
  return new Set(names).size < names.length ? [{ path: ['runtime'], name: 'envs' }] : [];
};

const negative = (value: number): boolean => value < 0;
const above100 = (value: number): boolean => value > 100;
const exactly = (wanted: number) => (value: number) => value === wanted;

export const agentsPoints: Points = {
  'memory -1': odd(number('runtime', 'memory', negative)),
  'memory 0': odd(number('runtime', 'memory', exactly(0))),
  'memory 1': odd(number('runtime', 'memory', exactly(1))),
  'memory 3000': odd(number('runtime', 'memory', exactly(3000))),
  'minScale 2 above maxScale 1': odd(scaleOddly),
  'minScale -1': odd(number('runtime', 'minScale', negative)),
  'maxScale 0': odd(number('runtime', 'maxScale', exactly(0))),
  'canaryPercent -1': odd(number('revision', 'canaryPercent', negative)),
  'canaryPercent 101': odd(number('revision', 'canaryPercent', above100)),
  'traffic -1': odd(number('revision', 'traffic', negative)),
  'traffic 101': odd(number('revision', 'traffic', above100)),
  'stickySessionTtl -1': odd(number('revision', 'stickySessionTtl', negative)),
  'an unknown field of the spec': odd(unknownIn([], 'AgentSpec')),
  'an unknown field of runtime': odd(unknownIn(['runtime'], 'AgentRuntime')),
  'two variables of one name': odd(namedTwice),
  'a secret variable': ofForm(
    '200, its value does not come back',
    '"200, its value does not come back", "200, its value comes back", or the status of a refusal',
    /^(?:200, its value comes back|(?<status>[345]\d\d))$/,
    ({ status }) => {
      const isSecret = (ctx: Context) => writesAgent(ctx) && secretsOf(ctx.state.body).length > 0;
      if (status !== undefined) return layered(refusesWhen(isSecret, Number(status)));
      return layered(
        answersWith(
          (ctx, reply) => isSuccess(reply) && isSecret(ctx),
          (body, ctx) => unmasked(body, ctx.state.body),
        ),
      );
    },
  ),
};

function secretsOf(body: unknown): unknown[] {
  const envs = memberOf(body, 'spec', 'runtime', 'envs');
  return Array.isArray(envs) ? envs.filter((env) => memberOf(env, 'secret') === true) : [];
}

/** In the answer to the write alone: the mock does not keep the values. */
function unmasked(body: unknown, sent: unknown): unknown {
  const envs = memberOf(sent, 'spec', 'runtime', 'envs') as readonly unknown[];
  const copy: unknown = structuredClone(body);
  const shown = memberOf(copy, 'spec', 'runtime', 'envs');
  for (const [index, env] of (Array.isArray(shown) ? (shown as Record<string, unknown>[]) : []).entries())
    if (env['value'] === MASK) env['value'] = memberOf(envs[index], 'value');
  return copy;
}
