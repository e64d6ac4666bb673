/** Kills mocks with a state file at random moments, and starts them again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { MockTarget } from '../../mock/world/target.ts';
import { createRandom } from '../../mock/time/random.ts';
import { assay, newFolder, run } from './testing/assay-process.ts';
import { sampleSize } from './testing/sample-size.ts';

const KILLS = sampleSize(8, 50);
const LATEST_KILL_MS = 60;

interface Started {
  readonly child: ChildProcess;
  readonly target: MockTarget;
}

async function start(file: string): Promise<Started> {
  const child = spawn(process.execPath, [assay, 'mock', '--port', '0', '--json', '--quiet', '--state', file], {
    cwd: path.dirname(file),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout }))
    return { child, target: (JSON.parse(line) as { target: MockTarget }).target };
  throw new Error('The mock printed nothing.');
}

/** Undefined if the mock was killed before it responded. */
async function send({ target }: Started, method: string, url: string, body?: object): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${target.credentials.apiKey.value}`,
    'content-type': 'application/json',
  };
  try {
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const content: unknown = await response.json();
    return response.ok ? content : undefined;
  } catch {
    return undefined;
  }
}

/** What the killed mocks have acknowledged. `last` and `next`: the display name of an agent, and the one that was sent last. */
interface Acknowledged {
  last: string | undefined;
  next: string | undefined;
  readonly vpcs: Set<string>;
  readonly files: Set<string>;
  deletedJob: boolean;
}

const filesUrl = ({ target }: Started) => `${target.addresses.host}/sandbox/demo/demo-box/filesystem/tree/app`;

/** Writes until the mock is killed. `onFirst` is called when the first write is acknowledged. */
async function write(mock: Started, round: number, known: Acknowledged, onFirst: () => void): Promise<void> {
  const { management } = mock.target.addresses;
  for (let nth = 0; ; nth++) {
    const name = `made-${round}-${nth}`;
    known.next = name;
    const agent = { metadata: { name: 'demo-agent', displayName: name }, spec: {} };
    if ((await send(mock, 'PUT', `${management}/agents/demo-agent`, agent)) === undefined) return;
    known.last = name;
    if (nth === 0) onFirst();
    if ((await send(mock, 'POST', `${management}/vpcs`, { metadata: { name }, spec: {} })) === undefined) return;
    known.vpcs.add(name);
    if ((await send(mock, 'PUT', filesUrl(mock), { files: { [name]: name } })) === undefined) return;
    known.files.add(name);
    if (round === 5 && (await send(mock, 'DELETE', `${management}/jobs/demo-job`)) !== undefined)
      known.deletedJob = true;
  }
}

async function check(mock: Started, known: Acknowledged): Promise<void> {
  const { management } = mock.target.addresses;
  const namesIn = async (collection: string) =>
    ((await send(mock, 'GET', `${management}/${collection}`)) as { metadata: { name: string } }[]).map(
      ({ metadata }) => metadata.name,
    );
  const agent = (await send(mock, 'GET', `${management}/agents/demo-agent`)) as { metadata: { displayName?: string } };
  // Before the first round, nothing is known of it.
  const { displayName = '' } = agent.metadata;
  expect([known.last ?? displayName, known.next ?? displayName]).toContain(displayName);
  expect(await namesIn('vpcs')).toEqual(expect.arrayContaining([...known.vpcs]));
  const { files } = (await send(mock, 'GET', filesUrl(mock))) as { files: { name: string }[] };
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining([...known.files]));
  const jobs = (await send(mock, 'GET', `${management}/jobs`)) as { metadata: { name: string }; status: string }[];
  const job = jobs.find(({ metadata }) => metadata.name === 'demo-job');
  expect(job === undefined || job.status === 'DELETING').toBe(known.deletedJob);
}

test(`everything acknowledged survives ${KILLS} kills at random moments`, async () => {
  const file = path.join(newFolder(), 'mock.db');
  const random = createRandom(19);
  const known: Acknowledged = {
    last: undefined,
    next: undefined,
    vpcs: new Set(),
    files: new Set(),
    deletedJob: false,
  };
  for (let round = 0; round <= KILLS; round++) {
    const mock = await start(file);
    await check(mock, known);
    const killAfterMs = random.next() % LATEST_KILL_MS;
    const killSoon = () => void setTimeout(() => mock.child.kill('SIGKILL'), killAfterMs);
    await Promise.all([once(mock.child, 'exit'), write(mock, round, known, killSoon)]);
  }
  expect(known.last).toBeDefined();
});

test('an existing state file replaces the initial world, and another file is refused', async () => {
  const file = path.join(newFolder(), 'mock.db');
  const mock = await start(file);
  mock.child.kill('SIGTERM');
  await once(mock.child, 'exit');
  const refused = await run(['mock', '--port', '0', '--state', file, '--seed', '4', '--now', '2026-11-01T00:00:00Z']);
  expect(refused).toEqual({
    code: 2,
    out: expect.stringContaining(`--state ${file} exists and has its own world; omit --seed and --now.`),
  });
  expect(await run(['mock', '--port', '0', '--state', assay])).toEqual({
    code: 2,
    out: expect.stringContaining('is not a state file of assay'),
  });
});
