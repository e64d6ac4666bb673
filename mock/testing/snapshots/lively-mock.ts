/** A running mock with state of every kind in its world: executions, async requests, files, uploads, codes, tokens and messages. */
import { defaultWorld } from '../../../fixtures/worlds/default.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';
import type { Snapshot } from '../../world/snapshot-schema.ts';
import { operationSender, type OperationSender } from '../every-operation/send-operation.ts';
import { createGrants } from './redeem-grants.ts';

export interface LivelyMock extends AsyncDisposable {
  readonly mock: RunningMock;
  readonly sender: OperationSender;
  /** Of the world when all state of it was created. */
  readonly snapshot: Snapshot;
}

const NOW = Date.parse('2026-11-21T07:00:00Z');
/** The default world's resources of every type, and only a few metered ones, because each tour reads all of them. */
const RESOURCES = 40;
/** Nothing listens there. */
const callbackUrl = 'http://127.0.0.1:1/callback';

export async function openLivelyMock(): Promise<LivelyMock> {
  const world = defaultWorld(1, NOW);
  const mock = await startMock({
    now: NOW,
    clock: 'frozen',
    sandboxUrls: 'path',
    world: {
      ...world,
      resources: world.resources.slice(-RESOURCES),
      replies: [{ pattern: '^never', reply: 'No $&.', times: 2 }],
      deploy: { building: '1s..3s', failures: [{ resource: 'models/new-one', at: 'building' }] },
      tasks: [{ job: 'demo-job', takes: '2s', failures: 1 }],
      instances: { idleAfter: '5m' },
      sandboxes: { sleepAfter: '1h' },
    },
  });
  const sender = operationSender(mock);
  await enliven(mock, sender);
  const snapshot = (await mock.snapshot.get()) as Snapshot;
  const close = async () => {
    await sender.close();
    await mock.close();
  };
  return { mock, sender, snapshot, [Symbol.asyncDispose]: close };
}

async function enliven({ clock, addresses }: RunningMock, { sendValid: send }: OperationSender): Promise<void> {
  await send('updateAgent', { path: { agentName: 'demo-agent-mk3' }, body: JSON.stringify(scheduledAgent) });
  await clock.advance(5000);
  await send('createJobExecution');
  await send('createJobExecution');
  await clock.advance(3000);
  for (let nth = 0; nth < 3; nth++) await send('queryAgentTrigger');
  await send('writeTree');
  await send('initiateMultipartUpload');
  await send('uploadMultipartPart');
  await createGrants(addresses.host);
  await send('requestToken', { body: new URLSearchParams({ grant_type: 'client_credentials', ...client }).toString() });
  await send('inviteToWorkspace');
  for (const create of [
    'createAgent',
    'createModel',
    'createJob',
    'createVolume',
    'createIntegrationConnection',
  ] as const)
    await send(create);
  await send('deleteFunction');
}

const client = { client_id: 'demo-client', client_secret: 'demo-secret' };

/** With an async trigger that has a callback, and one that fires every hour. */
const scheduledAgent = {
  metadata: { name: 'demo-agent-mk3' },
  spec: {
    region: 'local',
    runtime: { generation: 'mk3', memory: 4096, minScale: 1, maxScale: 1, envs: [{ name: 'A', value: 'b' }] },
    triggers: [
      { id: 'later', type: 'http-async', configuration: { timeout: 600, retry: 2, callbackUrl } },
      { id: 'hourly', type: 'cron', configuration: { schedule: '0 * * * *', tasks: [{ a: 1 }] } },
    ],
    volumes: [{ name: 'demo-volume', mountPath: '/data', readOnly: false }],
  },
};
