/** mcp.undocumented.*: how MCP servers speak where the transport leaves it to them. */
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import type { McpChoices } from '../../state/choices.ts';
import { answersAs, asksWithBody, isTo, memberOf } from '../layers.ts';
import {
  cannot,
  layered,
  namesIn,
  ofForm,
  oneOf,
  type Follow,
  type Given,
  type Layer,
  type Point,
  type Points,
} from '../point.ts';

type Kind = 'function' | 'sandbox';
type Operations = { readonly [Method in 'get' | 'post' | 'delete']: OperationId };

const operations: Readonly<Record<Kind, Operations>> = {
  function: { get: 'getFunctionMcp', post: 'postFunctionMcp', delete: 'deleteFunctionMcp' },
  sandbox: { get: 'getSandboxMcp', post: 'postSandboxMcp', delete: 'deleteSandboxMcp' },
};

const choose = (kind: Kind, part: Partial<McpChoices>): Follow => ({ choices: { mcp: { [kind]: part } } });

/** Of the protocol; a server may list what it has nothing for. */
const CAPABILITIES = ['completions', 'experimental', 'logging', 'prompts', 'resources', 'tools'];

function capabilities(kind: Kind): Point {
  return ofForm(
    'tools',
    `some of ${CAPABILITIES.join(', ')}, with a comma between them`,
    /^[a-z]+(, [a-z]+)*$/,
    (_, saw) => {
      const names = namesIn(saw);
      if (names === undefined || names.some((name) => !CAPABILITIES.includes(name))) return undefined;
      if (!names.includes('tools')) return cannot('the servers of the mock have tools');
      return choose(kind, { alsoListed: names.filter((name) => name !== 'tools') });
    },
  );
}

/** What a DELETE is answered, and what comes after it, is told by status alone. */
function status(own: string, id: OperationId, isOne: (ctx: Context, found: number) => boolean): Point {
  return ofForm(own, 'a status', /^(?<status>[2-5]\d\d)$/, (saw) => {
    const wanted = Number(saw['status']);
    const form = wanted === 204 ? { form: { is: 'nothing' } as const } : {};
    return layered(answersAs((ctx, reply) => isTo(id)(ctx) && isOne(ctx, reply.status), { status: wanted, ...form }));
  });
}

function stream(id: OperationId): Point {
  const allowed = /^(?<status>[2-5]\d\d)$|^no answer while nothing is told$/;
  return ofForm('200, an event stream', '"200, an event stream" or a status', allowed, (saw) => {
    if (saw['status'] === undefined) return cannot('the mock begins its answer at once');
    const form = { is: 'nothing' } as const;
    return layered(
      answersAs((ctx, reply) => isTo(id)(ctx) && reply.status === 200, {
        status: Number(saw['status']),
        form,
      }),
    );
  });
}

/** Who offers one version is answered as if another had been offered. */
const offers = (id: OperationId, offered: string, instead: string): Layer =>
  asksWithBody([id], (body, ctx) => {
    if (memberOf(body, 'method') !== 'initialize' || memberOf(body, 'params', 'protocolVersion') !== offered)
      return undefined;
    // What is offered instead is another point's offer, too.
    if (otherwiseOffered.has(ctx)) return undefined;
    otherwiseOffered.add(ctx);
    return { ...(body as object), params: { ...(memberOf(body, 'params') as object), protocolVersion: instead } };
  });

const otherwiseOffered = new WeakSet<Context>();

const SPOKEN = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const unspoken = '1999-12-31';

function version(id: OperationId, offered: string): Point {
  const own = offered === unspoken ? '2025-11-25' : offered;
  return ofForm(
    own,
    `a version of the protocol, as ${SPOKEN.join(', ')}`,
    /^(\d{4}-\d\d-\d\d|error .+|status \d{3})$/,
    (_, saw) => {
      if (SPOKEN.includes(saw)) return layered(offers(id, offered, saw));
      return cannot('the mock agrees on a version that it speaks with every client');
    },
  );
}

/** Where there are no sessions, there is none to end. */
function ofSession(kind: Kind, point: Point, without?: string): Point {
  const hasNone = ({ seenAt }: Given) => seenAt(`${kind}: session id`) === 'none';
  return {
    ...point,
    ...(without !== undefined && { ownWith: (given: Given) => (hasNone(given) ? without : undefined) }),
    allowed: `${without === undefined ? '' : `"${without}", or `}${point.allowed}`,
    follow: (saw, given) => (hasNone(given) ? cannot('there is no session to end') : point.follow(saw, given)),
  };
}

function pointsOf(kind: Kind): [string, Point][] {
  const { get, post, delete: end } = operations[kind];
  const isRefused = (_: Context, found: number): boolean => found === 404;
  return [
    ['session id', oneOf('given', { none: () => choose(kind, { sessions: 'none' }) })],
    ['an answer comes as', oneOf('an event stream', { JSON: () => choose(kind, { answers: 'JSON' }) })],
    ['capabilities', capabilities(kind)],
    ['GET', stream(get)],
    [
      'DELETE',
      ofSession(
        kind,
        status('200', end, (_, found) => found === 200),
        'no session to end',
      ),
    ],
    ['ping after DELETE', ofSession(kind, status('404', post, isRefused))],
    ...[...SPOKEN, unspoken].map((offered): [string, Point] => [`version offered ${offered}`, version(post, offered)]),
  ];
}

export const mcpPoints: Points = Object.fromEntries(
  (['function', 'sandbox'] as const).flatMap((kind) =>
    pointsOf(kind).map(([what, point]) => [`${kind}: ${what}`, point]),
  ),
);
