/** A running mock whose world a test can reset before each request. */
import { defaultWorld } from '../../../fixtures/worlds/default.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { operationSender, type OperationSender } from './send-operation.ts';

export interface Entry {
  /** Null if there is none, or no response yet. */
  readonly operation: OperationId | null;
  /** Null until the response is sent. */
  readonly status: number | null;
}

export interface OpenMock extends Omit<OperationSender, 'callControl'> {
  readonly mock: RunningMock;
  /** Resets the world and keeps its tokens. */
  readonly reset: () => Promise<void>;
  /** The newest journal entry of this world. */
  readonly last: () => Promise<Entry | undefined>;
  /** Throws if another client does not get its usual response, or on an unhandled rejection. */
  readonly requireHealthy: () => Promise<void>;
}

const NOW = Date.parse('2026-11-21T07:00:00Z');
/** The default world's resources of every type, and only a few metered ones, because each reset creates all of them. */
const RESOURCES = 60;
/** The clock is frozen, so only the start of a delayed response is sent. */
const replies = [{ pattern: '^slowly', reply: 'One. Two.', paceMs: 1000 }];

export async function openMock(): Promise<OpenMock> {
  const world = defaultWorld(1, NOW);
  const resources = world.resources.slice(-RESOURCES);
  const options = { now: NOW, clock: 'frozen', sandboxUrls: 'path' } as const;
  const mock = await startMock({ ...options, world: { ...world, resources, replies } });
  const { callControl, close, ...rest } = operationSender(mock);
  const { rejections, stop } = noteRejections();
  return {
    ...rest,
    mock,
    requireHealthy: async () => {
      const { status } = await rest.sendValid('listAccounts');
      if (status !== 200) throw new Error(`Another client got status ${status}.`);
      if (rejections.length > 0) throw new AggregateError(rejections, `Unhandled rejections: ${rejections.join('; ')}`);
    },
    reset: async () => void (await callControl('POST', '/reset')),
    last: async () => {
      const { text = '' } = await callControl('GET', '/requests');
      return (JSON.parse(text) as { readonly requests: readonly Entry[] }).requests.at(-1);
    },
    close: async () => {
      stop();
      await close();
      await mock.close();
    },
  };
}

function noteRejections(): { readonly rejections: unknown[]; readonly stop: () => void } {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  process.on('unhandledRejection', note);
  return { rejections, stop: () => void process.off('unhandledRejection', note) };
}
