/** Checks what the schema of a snapshot cannot express, so that a restored world can be used like any other. */
import { z } from 'zod';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { count } from '../../spec/formats/parts.ts';
import { readFormat } from '../../spec/formats/read-format.ts';
import { invalidField, Problem } from '../http/problems.ts';
import type { ExecutionPlan, PlannedTask, Stop } from '../domains/resources/execution-plan.ts';
import { isExecutionsKey } from '../domains/resources/executions.ts';
import type { Kind } from '../domains/resources/kind.ts';
import { kinds, placeAt } from '../domains/resources/kinds.ts';
import { requireUpperBounds } from '../domains/resources/rules/limits.ts';
import type { Attempt } from '../domains/resources/task-attempts.ts';
import { checkScripts } from './check-replies.ts';
import { pathOf, resourceFault, toolsFault } from './resource-fault.ts';
import { duration, instant, type Snapshot } from './snapshot-schema.ts';

type SavedResource = Snapshot['resources'][string][number];

/** Throws a problem or a WorldFileError for an unresolved name, an invalid script, and a resource that no create would have accepted. */
export function checkSnapshot(saved: Snapshot): void {
  checkNames(saved);
  checkClient(saved);
  checkScripts(saved);
  checkExecutions(saved);
  for (const [key, resources] of Object.entries(saved.resources)) {
    if (isExecutionsKey(key)) continue;
    const kind = kindAt(key);
    for (const [index, resource] of resources.entries()) checkResource(kind, resource, `resources.${key}[${index}]`);
  }
}

/** Throws a problem for an unresolved account or caller. */
function checkNames({ accounts, workspaces, callers, namedCredentials, lifetimes }: Snapshot): void {
  const accountIds = accounts.map(({ id }) => id);
  const callerIds = callers.map(({ id }) => id);
  for (const [where, items] of Object.entries({ workspaces, callers, lifetimes })) {
    const lost = items.find(({ account }) => !accountIds.includes(account));
    if (lost !== undefined) throw unknownName(where, 'account', lost.account, accountIds);
  }
  const lost = namedCredentials.find(({ caller }) => !callerIds.includes(caller));
  if (lost !== undefined) throw unknownName('namedCredentials', 'caller', lost.caller, callerIds);
  for (const name of ['admin', 'apiKey']) {
    if (namedCredentials.some((named) => named.name === name && named.token !== undefined)) continue;
    throw invalidField(
      'namedCredentials',
      namedCredentials.map((named) => named.name),
      `a list with "${name}" and its token`,
    );
  }
}

/** The target file has its secret. */
function checkClient({ target, clients }: Snapshot): void {
  const client = clients.find(({ id }) => id === target.client);
  if (client === undefined || client.secret !== undefined) return;
  const allowed = clients.flatMap(({ id, secret }) => (secret === undefined ? [] : id));
  throw invalidField('target.client', client.id, `a client with a secret (${allowed.join(', ') || 'there is none'})`);
}

export function unknownName(where: string, member: string, value: string, known: Iterable<string>): Error {
  return invalidField(`${where}: ${member}`, value, [...known].join(', ') || 'none, since there are none');
}

/** A schema for every member of a type, so that the compiler finds a member that has none. */
type ShapeOf<Type> = { readonly [Member in keyof Type]-?: z.ZodType<Type[Member]> };

const attempt = { takesMs: duration, error: z.string().exactOptional() } satisfies ShapeOf<Attempt>;
const task = {
  arguments: z.record(z.string(), z.unknown()),
  attempts: z.array(z.strictObject(attempt)),
} satisfies ShapeOf<PlannedTask>;
const stop = { at: instant, error: z.string() } satisfies ShapeOf<Stop>;
const executionPlan = {
  tasks: z.array(z.strictObject(task)),
  runtime: z.strictObject({ memory: count }),
  stop: z.strictObject(stop).exactOptional(),
} satisfies ShapeOf<ExecutionPlan>;

const executions = z.looseObject({
  resources: z.record(z.string(), z.array(z.looseObject({ spec: z.strictObject(executionPlan) }))),
});

function checkExecutions({ resources }: Snapshot): void {
  const own = Object.fromEntries(Object.entries(resources).filter(([key]) => isExecutionsKey(key)));
  try {
    readFormat(executions, { resources: own }, () => false);
  } catch (error) {
    throw error instanceof InvalidInput ? refusal(error.message) : error;
  }
}

/** `key`: such as `demo/agents`, or `account:acc-demo/workspaces`. */
function kindAt(key: string): Kind {
  const [, ofAccount, collection = ''] = /^(?:(account:.*)|[^/]*)\/(.+)$/s.exec(key) ?? [];
  const kind = placeAt({ name: '', account: '', region: '' }, collection)?.kind;
  if (kind !== undefined && (kind.ofAccount ?? false) === (ofAccount !== undefined)) return kind;
  const allowed = Object.values(kinds).map(
    (each) => `${each.ofAccount ? 'account:{id}' : '{workspace}'}/${pathOf(each)}`,
  );
  throw refusal(`resources has the key ${JSON.stringify(key)}; allowed: ${allowed.join(', ')}.`);
}

function checkResource(
  kind: Kind,
  { name, metadata: sent, spec, deployments, tools }: SavedResource,
  at: string,
): void {
  const metadata = { ...sent, name };
  const checkSpec = (checked: SavedResource['spec'], path: string): void => {
    const fault = resourceFault(kind, { metadata, spec: checked });
    if (fault !== undefined)
      throw refusal(fault.startsWith('spec') ? path + fault.slice('spec'.length) : `${at}.${fault}`);
    requireUpperBounds(kind.collection, checked, path);
  };
  checkSpec(spec, `${at}.spec`);
  for (const [index, { runtime, replaces }] of deployments.entries()) {
    const path = `${at}.deployments[${index}]`;
    if (runtime !== undefined) checkSpec({ ...spec, runtime }, path);
    if (replaces?.runtime !== undefined) checkSpec({ ...spec, runtime: replaces.runtime }, `${path}.replaces`);
  }
  const fault = Array.isArray(tools) ? toolsFault(tools) : undefined;
  if (fault !== undefined) throw refusal(`${at}: ${fault}`);
}

function refusal(message: string): Problem {
  return new Problem(400, 'invalid_request', message);
}
