/** Events of a world: writes emit them; metering, cron, sandboxes and MCP servers subscribe (mock/world/subscriptions.ts). */
import type { ResourceType } from '../metrics/dimensions.ts';
import type { Instant } from '../time/clock.ts';
import type { Workspace } from './accounts.ts';
import type { Resource } from './resources.ts';

export interface ResourceEvent {
  /** Such as `agents`. */
  readonly collection: string;
  /** The key of the collection in the world's resources. */
  readonly key: string;
  readonly workspace: Workspace;
  /** As it is after the write; of a deletion, as it was before. */
  readonly resource: Resource;
  readonly at: Instant;
  /** Absent for kinds that are not metered. */
  readonly meteredAs?: ResourceType;
}

export interface EventPayloads {
  created: ResourceEvent;
  updated: ResourceEvent;
  /** Emitted when the deletion begins, once. */
  deleted: ResourceEvent;
  /** Something has become due at a later instant. */
  scheduled: undefined;
}

type Listener<Name extends keyof EventPayloads> = (payload: EventPayloads[Name]) => void;

export interface WorldEvents {
  on<Name extends keyof EventPayloads>(name: Name, listener: Listener<Name>): void;
  /** Calls the listeners in the order in which they subscribed. */
  emit<Name extends keyof EventPayloads>(name: Name, payload: EventPayloads[Name]): void;
}

export function createEvents(): WorldEvents {
  const listeners: { [Name in keyof EventPayloads]: Listener<Name>[] } = {
    created: [],
    updated: [],
    deleted: [],
    scheduled: [],
  };
  return {
    on: (name, listener) => void listeners[name].push(listener),
    emit: (name, payload) => {
      for (const listener of listeners[name]) listener(payload);
    },
  };
}
