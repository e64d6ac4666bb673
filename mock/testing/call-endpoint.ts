/** Calls endpoints without HTTP; validates requests and responses against the documents. */
import type { OperationId, Operations } from '../../spec/generated/types.ts';
import { operation } from '../../spec/operations.ts';
import { bodyFindings, replyFindings } from '../../spec/validators.ts';
import { completeWorld } from '../../fixtures/worlds/named-worlds.ts';
import type { WorldExtension, WorldFile } from '../../spec/formats/world-file.ts';
import { Problem } from '../http/problems.ts';
import type { Call } from '../endpoints/endpoint.ts';
import { createClock } from '../time/clock.ts';
import { loadWorld } from '../world/load.ts';
import type { World } from '../world/world.ts';
import { endpoints } from '../endpoints/index.ts';

export const NOW = Date.parse('2026-11-21T07:00:00Z');

export const addresses = {
  management: 'http://127.0.0.1:4010/v0',
  host: 'http://127.0.0.1:4010',
  inference: 'http://127.0.0.1:4010',
};

/** The default world unless another is given, its clock frozen at NOW. */
export function frozenWorld(file?: WorldFile | WorldExtension): World {
  return loadWorld(completeWorld(file, 1, NOW), {
    seed: 1,
    clock: createClock(NOW, 'frozen'),
    addresses,
    brand: 'Svc',
  });
}

export interface EndpointRequest<Id extends OperationId> {
  readonly path?: Operations[Id]['path'];
  readonly query?: Record<string, string>;
  /** Untyped, because tests send invalid bodies. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** A named credential's caller; default admin. */
  readonly as?: string;
  readonly workspace?: string;
}

export interface EndpointResponse {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Returns thrown problems as responses. Throws if the body or the response is invalid against the documents. */
export async function callEndpoint<Id extends keyof typeof endpoints>(
  world: World,
  id: Id,
  request: EndpointRequest<Id> = {},
): Promise<EndpointResponse> {
  const { body } = request;
  if (operation(id).hasBody) refuseFindings(`The body sent to ${id}`, bodyFindings(id, body));
  try {
    const endpoint = endpoints[id] as unknown as (call: Call<Id>) => Promise<{ status: number; body: unknown }>;
    const reply = await endpoint(callOf(world, id, request));
    const json = jsonOf(reply.body);
    refuseFindings(`The response of ${id}`, replyFindings(id, reply.status, json));
    return { status: reply.status, body: json };
  } catch (error) {
    if (error instanceof Problem) return { status: error.status, body: { error: error.kind, message: error.message } };
    throw error;
  }
}

/** Parses strings and bytes; passes other bodies through JSON as HTTP would. */
function jsonOf(body: unknown): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  return JSON.parse(body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body));
}

/** A call of an endpoint, as the pipeline makes it. */
export function callOf<Id extends OperationId>(world: World, id: Id, request: EndpointRequest<Id>): Call<Id> {
  const { path = {}, query = {}, headers = {}, body, as = 'admin', workspace: workspaceName } = request;
  const named = world.namedCredentials.find(({ name }) => name === as);
  const caller = world.callers.get(named?.caller ?? '');
  const workspace = world.workspaces.get(workspaceName ?? named?.workspace ?? '');
  if (named === undefined || caller === undefined || workspace === undefined)
    throw new Error(`Unknown credential "${as}".`);
  const { kind, scopes } = named;
  return {
    operation: operation(id),
    world,
    credential: { kind, caller, scopes, workspace: workspace.name },
    workspace,
    path,
    headers,
    onLeave: () => {},
    query: new URLSearchParams(query),
    body: structuredClone(body),
    version: '2026-04-16',
  };
}

function refuseFindings(what: string, findings: readonly { says: string }[]): void {
  if (findings.length > 0)
    throw new Error(`${what} does not match the documents: ${findings.map(({ says }) => says).join('; ')}`);
}
