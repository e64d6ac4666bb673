/** The calls of `/_mock` as functions, for tests in the same process. Each does what the call of the same name does. */
import type { WorldName } from '../../../spec/formats/world-names.ts';
import { DURATION_FORM, parseDuration } from '../../../spec/formats/durations.ts';
import type { WorldExtension, WorldFile } from '../../../spec/formats/world-file.ts';
import type { FaultRule, RecordedMatch, ScriptedResponse } from '../../pipeline/rule-formats.ts';
import type { ServedWorld } from '../../pipeline/served-world.ts';
import type { Addresses } from '../../state/addresses.ts';
import { timestamp, type ClockMode } from '../../time/clock.ts';
import { instantOf, TIME_FORM, type Time } from '../../time/instant.ts';
import type { MockTarget } from '../../world/target.ts';
import { calls } from './calls.ts';
import type { ControlRequest } from './control-call.ts';
import { filterParameters } from './filter-parameters.ts';
import { parseQuery } from './query.ts';
import type { TokenRequest } from './post-tokens.ts';
import type { Verification } from './verification-format.ts';
import type { DeploymentOutcome } from './put-deployment.ts';
import type {
  ClockView,
  EntryView,
  FaultsView,
  HealthView,
  InvocationView,
  OutboxView,
  ResourceView,
  ResponsesView,
  TokenView,
  WorldView,
  VerificationResult,
} from './views.ts';
import { removeWorld, type Worlds } from './worlds.ts';

/** Filters of recorded requests; all must match. */
export type RequestFilter = RecordedMatch;

/** Filters of resources; all must match. With `name`, each view has the whole `resource`. */
export interface ResourceFilter {
  /** A workspace, or `account:ID`. */
  readonly home?: string;
  /** As in the URL: `agents`, `sandboxes/demo-box/previews`. */
  readonly collection?: string;
  readonly name?: string;
}

/** Filters of calls of workloads; all must match. */
export interface InvocationFilter {
  readonly workspace?: string;
  /** Such as `agents/support`. */
  readonly workload?: string;
  readonly by?: InvocationView['by'];
}

/** Seconds of real time, up to 60, until `atLeast` requests (default 1) match and have a response. */
export interface Wait {
  readonly wait?: number;
  readonly atLeast?: number;
}

export interface NewWorld {
  readonly id?: string;
  readonly seed?: number;
  /** RFC 3339, a Date, or milliseconds since 1970. Default: the current time. */
  readonly now?: Time;
  readonly clock?: ClockMode;
  readonly brand?: string;
  readonly onlyDocumented?: boolean;
  /** The content of a world file, or the name of a world. Default: that of the mock. */
  readonly world?: WorldFile | WorldExtension | WorldName;
}

/** All methods reject if an argument is not valid; the message names it and what is allowed. */
export interface MockControl {
  readonly clock: {
    get(): Promise<ClockView>;
    /** RFC 3339, a Date, or milliseconds since 1970. The mode stays. */
    set(now: Time): Promise<ClockView>;
    /** Milliseconds, or a duration such as `90s` or `1h`. */
    advance(duration: number | string): Promise<ClockView>;
    freeze(): Promise<ClockView>;
    run(): Promise<ClockView>;
  };
  readonly faults: {
    get(): Promise<FaultsView>;
    /** Replaces all rules. */
    set(rules: readonly FaultRule[]): Promise<FaultsView>;
    clear(): Promise<FaultsView>;
  };
  readonly responses: {
    get(): Promise<ResponsesView>;
    /** Replaces all scripts. */
    set(responses: readonly ScriptedResponse[]): Promise<ResponsesView>;
    clear(): Promise<ResponsesView>;
  };
  readonly snapshot: {
    /** As `set` accepts it, also of another mock. */
    get(): Promise<object>;
    set(snapshot: object): Promise<ClockView>;
  };
  health(): Promise<HealthView>;
  /** All resources of the world, by kind. */
  resources(filter?: ResourceFilter): Promise<readonly ResourceView[]>;
  /** All worlds of the port; the first one is the one that the mock was started with. */
  worlds(): Promise<readonly WorldView[]>;
  /** Restores the initial world and its clock; clears recorded requests, faults and scripted responses. */
  reset(): Promise<ClockView>;
  /** Recorded requests, oldest first. */
  requests(filter?: RequestFilter & Wait): Promise<readonly EntryView[]>;
  /** Resolves to the number of deleted requests. */
  deleteRequests(filter?: RequestFilter): Promise<number>;
  /** Rejects with a VerificationError if the expected requests were not received. */
  verify(verification: Verification): Promise<void>;
  /** Calls of workloads, oldest first. */
  invocations(filter?: InvocationFilter): Promise<readonly InvocationView[]>;
  outbox(): Promise<OutboxView>;
  /** Ends the deployment of a resource now, such as `agents/support`. `workspace`: default is that of the target. */
  endDeployment(resource: string, outcome: DeploymentOutcome, workspace?: string): Promise<object>;
  /** Issues a credential for a new caller. */
  newToken(request?: TokenRequest): Promise<TokenView>;
}

/** Another world on the same port. */
export interface MockWorld extends MockControl, AsyncDisposable {
  readonly id: string;
  readonly addresses: Addresses;
  readonly target: MockTarget;
  /** Removes the world. */
  close(): Promise<void>;
}

export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  /** One sentence for each expectation that is not met. */
  readonly failures: readonly string[];

  /** `received`: the newest requests, for the message. */
  constructor(failures: readonly string[], received: readonly string[]) {
    super(`${failures.join(' ')} Received: ${received.join(', ') || 'nothing'}.`);
    this.failures = failures;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
}

type OnDone = (call: { readonly method: string; readonly path: string }) => Promise<void> | undefined;
type Call = <Result>(method: string, path: string, sent?: Sent) => Promise<Result>;

/** Resolves to the response body; rejects with the problem of an error response. */
function caller(worlds: Worlds, served: ServedWorld, onDone?: OnDone): Call {
  return async (method, path, { params = {}, query = {}, body } = {}) => {
    const call = await calls[path]?.[method]?.();
    if (call === undefined) throw new Error(`/_mock has no ${method} ${path}.`);
    if (served !== worlds.first && !worlds.others.values().some((each) => each === served))
      throw new Error('The world was closed.');
    const given = Object.entries(query as Query).filter(([, value]) => value !== undefined);
    const request: ControlRequest = {
      worlds,
      served,
      params,
      query: parseQuery(
        given.map(([name, value]) => [name, String(value)] as const),
        call,
      ),
      headers: {},
      body: call.body?.parse(body ?? {}),
    };
    const reply = await call.handle(request as ControlRequest<never>);
    // A copy, as over HTTP: the body may share objects with the world.
    const copy: unknown = JSON.parse(JSON.stringify(reply.body));
    await onDone?.({ method, path: `/_mock${path}` });
    return copy as never;
  };
}

/**
 * `onDone` is called after each call, which ends with it.
 * @internal
 */
export function createControl(worlds: Worlds, served: ServedWorld, onDone?: OnDone): MockControl {
  const call = caller(worlds, served, onDone);
  const putClock = (body: object) => call<ClockView>('PUT', '/clock', { body });
  return {
    clock: {
      get: () => call('GET', '/clock'),
      set: async (now) => putClock({ now: timestampOf(now) }),
      advance: async (duration) => putClock({ advanceMs: millisecondsOf(duration) }),
      freeze: () => putClock({ mode: 'frozen' }),
      run: () => putClock({ mode: 'running' }),
    },
    faults: {
      get: () => call('GET', '/faults'),
      set: (rules) => call('PUT', '/faults', { body: { rules } }),
      clear: () => call('DELETE', '/faults'),
    },
    responses: {
      get: () => call('GET', '/responses'),
      set: (responses) => call('PUT', '/responses', { body: { responses } }),
      clear: () => call('DELETE', '/responses'),
    },
    snapshot: {
      get: () => call('GET', '/snapshot'),
      set: (body) => call('PUT', '/snapshot', { body }),
    },
    health: () => call('GET', '/health'),
    resources: async (query) =>
      (await call<{ resources: ResourceView[] }>('GET', '/resources', query && { query })).resources,
    worlds: async () => (await call<{ worlds: WorldView[] }>('GET', '/worlds')).worlds,
    reset: () => call('POST', '/reset'),
    requests: async ({ wait, atLeast, ...filter } = {}) => {
      const query = { wait, atLeast, ...filterParameters(filter) };
      return (await call<{ requests: EntryView[] }>('GET', '/requests', { query })).requests;
    },
    deleteRequests: async (filter = {}) =>
      (await call<{ deleted: number }>('DELETE', '/requests', { query: filterParameters(filter) })).deleted,
    verify: async (body) => {
      const { verified, failures, received } = await call<VerificationResult>('POST', '/verify', { body });
      if (!verified) throw new VerificationError(failures, received);
    },
    invocations: async (query) =>
      (await call<{ invocations: InvocationView[] }>('GET', '/invocations', query && { query })).invocations,
    outbox: () => call('GET', '/outbox'),
    endDeployment: async (resource, body, workspace) => {
      const [collection, name, ...rest] = resource.split('/');
      if (!collection || !name || rest.length > 0)
        throw new TypeError(`"${resource}" is not a collection and a name, such as agents/support.`);
      return call('PUT', '/deployments/{collection}/{name}', {
        params: { collection, name },
        query: { workspace },
        body,
      });
    },
    newToken: (body) => call('POST', '/tokens', { body }),
  };
}

/**
 * Rejects if the options are not valid or the id is taken.
 * @internal
 */
export async function createWorld(worlds: Worlds, options: NewWorld): Promise<MockWorld> {
  const { now, ...others } = options;
  const body = now === undefined ? others : { ...others, now: timestampOf(now) };
  const { id } = await caller(worlds, worlds.first)<{ id: string }>('POST', '/worlds', { body });
  const served = worlds.others.get(id);
  if (served === undefined) throw new Error(`World "${id}" was removed.`);
  const close = async () => void (await removeWorld(worlds, id));
  return {
    ...createControl(worlds, served),
    id,
    addresses: served.world.addresses,
    get target() {
      return served.target;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** As in the body of a call, which refuses strings of another form. Throws a TypeError for other values. */
function timestampOf(now: Time): string {
  if (typeof now === 'string') return now;
  const instant = instantOf(now);
  if (instant === undefined)
    throw new TypeError(`Invalid value ${JSON.stringify(now)} for now: expected ${TIME_FORM}.`);
  return timestamp(instant);
}

/** Throws a RangeError if it is no duration. */
function millisecondsOf(duration: number | string): number {
  const milliseconds = typeof duration === 'number' ? duration : parseDuration(duration);
  if (milliseconds === undefined || !Number.isSafeInteger(milliseconds) || milliseconds < 0)
    throw new RangeError(
      `Invalid value ${typeof duration === 'string' ? JSON.stringify(duration) : duration} for the duration: expected ${DURATION_FORM}, or a whole number of milliseconds, 0 or more.`,
    );
  return milliseconds;
}
