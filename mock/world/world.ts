/** A world: the whole state of a mock, and the live services that work on it. */
import type { Instances } from '../domains/inference/instances.ts';
import type { Schedule } from '../domains/inference/schedule.ts';
import type { McpServers } from '../domains/mcp/servers.ts';
import type { Sandboxes } from '../domains/sandbox/sandboxes.ts';
import type { WorldState } from '../state/world-state.ts';

export interface World extends WorldState {
  readonly sandboxes: Sandboxes;
  readonly mcp: McpServers;
  readonly instances: Instances;
  /** Runs what is due on the virtual clock. */
  readonly schedule: Schedule;
}
