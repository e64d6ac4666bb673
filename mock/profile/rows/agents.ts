/** agents.runtime.bounds: values of an agent on which the document is silent. */
import { documentOf } from '../../../spec/documents.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import { isObject } from '../../../spec/json-object.ts';
import { agentLimits, exceeding } from '../../domains/resources/rules/limits.ts';
import type { AgentLimit } from '../../state/choices.ts';
import { MASK } from '../../domains/resources/rules/secrets.ts';
import { editReply, isSuccess, isTo, memberOf, refuse, replyOf, respond, withBody } from '../effects.ts';
import { cannot, choice, layered, type Follow, type Row, type RowsOf } from '../row.ts';

const WRITES: readonly OperationId[] = ['updateAgent', 'createAgent'];
const isWrite = isTo(...WRITES);

interface StoredValue {
  readonly status: number;
  readonly returned?: boolean | undefined;
}

/** The members of a spec that have an unusual value, each with the path to its parent. */
type Unusual = (spec: unknown) => readonly { readonly path: readonly string[]; readonly name: string }[];

const STATUS_200 = 'the mock accepts with status 200';

/** `change`: the body without what the observed server does not store. */
function unusual(find: Unusual, change: typeof without = without): Row<StoredValue> {
  return {
    own: { status: 200, returned: true },
    follow: ({ status, returned }) => {
      if (status >= 300) return refused(find, status);
      return status === 200 && returned === false
        ? layered(withBody(WRITES, (body) => change(body, find)))
        : cannot(STATUS_200);
    },
  };
}

function refused(find: Unusual, status: number): Follow {
  return layered(refuse((ctx) => isWrite(ctx) && find(memberOf(ctx.state.body, 'spec')).length > 0, status));
}

/** The body without the unusual members; undefined if it has none. */
function without(body: unknown, find: Unusual): unknown {
  const found = find(memberOf(body, 'spec'));
  if (found.length === 0) return undefined;
  const copy: unknown = structuredClone(body);
  for (const { path, name } of found) delete (memberOf(copy, 'spec', ...path) as Record<string, unknown>)[name];
  return copy;
}

const number = (parent: string, name: string, isOne: (value: number) => boolean): Row<StoredValue> =>
  unusual((spec) => {
    const value = memberOf(spec, parent, name);
    return typeof value === 'number' && isOne(value) ? [{ path: [parent], name }] : [];
  });

/** A bound that the mock checks. Accepting the value is a choice; not storing it, or another refusal, is a layer. */
function limited(limit: AgentLimit): Row<StoredValue> {
  const find: Unusual = (spec) => {
    const [parent, name] = agentLimits[limit].path;
    return exceeding(limit, spec) === undefined ? [] : [{ path: [parent], name }];
  };
  const accepted = { choices: { agents: { [limit]: 'accepted' } } };
  return {
    own: { status: 400 },
    ownChoices: { agents: { [limit]: 'refused' } },
    follow: ({ status, returned }) => {
      if (status >= 300) return refused(find, status);
      if (status !== 200) return cannot(STATUS_200);
      return returned === false ? { ...accepted, layer: withBody(WRITES, (body) => without(body, find)) } : accepted;
    },
  };
}

const unknownIn = (path: readonly string[], schema: 'AgentSpec' | 'AgentRuntime'): Row<StoredValue> =>
  unusual((spec) => {
    const known = new Set(Object.keys(documentOf('management').components.schemas[schema]?.properties ?? {}));
    const parent = memberOf(spec, ...path);
    const names = isObject(parent) ? Object.keys(parent) : [];
    return names.filter((name) => !known.has(name)).map((name) => ({ path, name }));
  });

const envsIn = (spec: unknown): readonly unknown[] => {
  const envs = memberOf(spec, 'runtime', 'envs');
  return Array.isArray(envs) ? envs : [];
};

const hasDuplicateNames: Unusual = (spec) => {
  const names = envsIn(spec).map((env) => memberOf(env, 'name'));
  return new Set(names).size < names.length ? [{ path: ['runtime'], name: 'envs' }] : [];
};

const policiesIn = (spec: unknown): readonly unknown[] => {
  const policies = memberOf(spec, 'policies');
  return Array.isArray(policies) ? policies : [];
};

const hasDuplicatePolicies: Unusual = (spec) => {
  const policies = policiesIn(spec);
  return new Set(policies).size < policies.length ? [{ path: [], name: 'policies' }] : [];
};

function withDistinctPolicies(body: unknown, find: Unusual): unknown {
  const spec = memberOf(body, 'spec');
  if (!isObject(body) || !isObject(spec) || find(spec).length === 0) return undefined;
  return { ...body, spec: { ...spec, policies: [...new Set(policiesIn(spec))] } };
}

const is = (expected: number) => (value: number) => value === expected;

const isSecret = (env: unknown): boolean => memberOf(env, 'secret') === true;
const hasSecret = (ctx: Context): boolean => isWrite(ctx) && envsIn(memberOf(ctx.state.body, 'spec')).some(isSecret);

const secretVariable: Row<StoredValue> = {
  own: { status: 200, returned: false },
  follow: ({ status, returned }) => {
    if (status >= 300) return layered(refuse(hasSecret, status));
    if (status !== 200 || returned !== true) return cannot(STATUS_200);
    return layered(
      editReply(
        (ctx, reply) => isSuccess(reply) && hasSecret(ctx),
        (body, ctx) => unmask(body, ctx.state.body),
      ),
    );
  },
};

/** Only in the response to the write: the mock does not store the values. */
function unmask(body: unknown, sent: unknown): unknown {
  const copy: unknown = structuredClone(body);
  const sentEnvs = envsIn(memberOf(sent, 'spec'));
  for (const [index, env] of envsIn(memberOf(copy, 'spec')).entries())
    if (isObject(env) && env['value'] === MASK) Object.assign(env, { value: memberOf(sentEnvs[index], 'value') });
  return copy;
}

const NOTHING_IN_USE = 'the mock removes nothing that is in use';

/** A refusal with such a message. */
const refusal = (
  id: OperationId,
  own: number,
  message: RegExp,
  noSuccess: string,
): Row<{ readonly status: number }> => ({
  own: { status: own },
  follow: ({ status }) =>
    status < 300
      ? cannot(noSuccess)
      : layered(
          respond(
            replyOf(id, own, (_, { body }) => message.test(String(memberOf(body, 'message')))),
            { status },
          ),
        ),
});

export const agentsRows: RowsOf<'agents.runtime.bounds'> = {
  'memory -1': limited('memoryNegative'),
  'memory 0': limited('memoryZero'),
  'memory 1': number('runtime', 'memory', is(1)),
  'memory 3000': number('runtime', 'memory', is(3000)),
  'minScale 2 above maxScale 1': limited('minScaleAboveMaxScale'),
  'minScale -1': limited('minScaleNegative'),
  'maxScale 0': limited('maxScaleZero'),
  'canaryPercent -1': limited('canaryPercentNegative'),
  'canaryPercent 101': limited('canaryPercentAbove100'),
  'traffic -1': limited('trafficNegative'),
  'traffic 101': limited('trafficAbove100'),
  'stickySessionTtl -1': limited('stickySessionTtlNegative'),
  'an unknown field of the spec': unknownIn([], 'AgentSpec'),
  'an unknown field of runtime': unknownIn(['runtime'], 'AgentRuntime'),
  'two variables of one name': unusual(hasDuplicateNames),
  'a policy named twice': unusual(hasDuplicatePolicies, withDistinctPolicies),
  'a secret variable': secretVariable,
  'a removal of a volume that the agent mounts': refusal('deleteVolume', 409, / is in use by /, NOTHING_IN_USE),
  'the agent after the removal of its volume': { follow: () => cannot(NOTHING_IN_USE) },
  'an async request to a disabled agent': refusal(
    'queryAgentTrigger',
    503,
    /spec\.enabled is false/,
    'a disabled agent does not serve (agents.enabled.*)',
  ),
  'the usage of a disabled agent': choice('not counted', {
    counted: cannot('the mock counts only requests that it accepts'),
  }),
};
