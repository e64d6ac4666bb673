/** `assay mock --replay` as a user starts it: a client gets from the mock what an independent server sent it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { newFolder, run, targetFile } from './testing/assay-process.ts';

const recordings = path.join(import.meta.dirname, '../../fixtures/recordings');

/** Prints the status, type and body of each response, with `{}` for its addresses. With FLIPPED, it spells requests differently. */
const CLIENT = `
  const { addresses, credentials } = JSON.parse(require('fs').readFileSync(process.env.ASSAY_TARGET));
  const flipped = process.env.FLIPPED === 'yes';
  const key = { authorization: 'Bearer ' + credentials.apiKey.value };
  const longest = Object.values(addresses).sort((a, b) => b.length - a.length);
  const send = async (surface, method, path, { json, headers = key } = {}) => {
    const response = await fetch(addresses[surface] + path, {
      method,
      headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
      body: json && JSON.stringify(json, null, flipped ? 2 : 0),
    });
    const body = (await response.text()).replaceAll('\\\\/', '/');
    const text = longest.reduce((all, url) => all.replaceAll(url, '{}'), body);
    console.log(JSON.stringify([method, path.split('?')[0], response.status, response.headers.get('content-type'), text]));
    return text;
  };
  const agent = { metadata: { name: 'sage' }, spec: { enabled: true } };
  const again = flipped ? { spec: { enabled: true }, metadata: { name: 'sage' } } : agent;
  const window = ['startTime=2026-10-01T00:00:00Z', 'endTime=2026-10-02T00:00:00Z', 'resolution=daily'];
  const query = flipped ? window.reverse().join('&').replaceAll(':', '%3A') : window.join('&');
  (async () => {
    await send('management', 'GET', '/accounts', { headers: {} });
    await send('management', 'GET', '/accounts');
    await send('management', 'PUT', '/agents/sage', { json: again });
    await new Promise((resolve) => setTimeout(resolve, flipped ? 0 : 500));
    await send('management', 'PUT', '/agents/sage', { json: again });
    await send('management', 'GET', '/agents/none');
    await send('management', 'POST', '/vpcs', { headers: { ...key, 'x-svc-workspace': 'tide' }, json: { metadata: { name: 'recorded' }, spec: { region: 'local' } } });
    await send('management', 'GET', '/accounts/4711/metrics?' + query, { headers: { authorization: 'Bearer ' + credentials.admin.value } });
    await send('inference', 'POST', '/tide/agents/sage', { json: { inputs: 'One' } });
    await send('inference', 'POST', '/tide/agents/sage', { json: { inputs: 'Two' } });
    await send('sandbox', 'PUT', '/filesystem/tree/app', { json: { files: { 'a.txt': 'A' } } });
    await send('sandbox', 'GET', '/filesystem/tree/app');
  })()`;

let recording: string;
let recorded: string[];
beforeAll(async () => {
  await using stranger = await startStranger({ character: 'strict', deploymentMs: 100 });
  const folder = newFolder();
  recording = path.join(folder, 'traffic.ndjson');
  const flags = ['--target', targetFile(stranger.target), '--record', recording];
  const { out } = await run(['proxy', ...flags, '--', process.execPath, '-e', CLIENT]);
  // The client knew the addresses of the proxy.
  recorded = responsesIn(Object.values(stranger.target.addresses).reduce((all, url) => all.replaceAll(url, '{}'), out));
});

const responsesIn = (out: string): string[] => out.split('\n').filter((line) => line.startsWith('["'));

/** Runs a client beside a mock that replays the recording. */
const beside = (file: string, client: string, env: Record<string, string> = {}) =>
  run(['mock', '--sandbox-urls', 'path', '--replay', file, '--', process.execPath, '-e', client], { env });

describe('a recording of an independent server', () => {
  test.each(['no', 'yes'])('is replayed to the same client; requests in another spelling: %s', async (FLIPPED) => {
    expect(recorded).toHaveLength(11);
    const { code, out } = await beside(recording, CLIENT, { FLIPPED });
    expect(responsesIn(out)).toEqual(recorded);
    expect(out).toContain(`Replaying 11 of 11 exchanges of ${recording}.\n`);
    expect(code).toBe(0);
  });

  test('answers nothing else: other requests get the state of the mock', async () => {
    const others = CLIENT.replace(/\(async \(\) => \{[^]*/, `send('management', 'GET', '/agents/demo-agent')`);
    const { out } = await beside(recording, others);
    expect(responsesIn(out)).toEqual([expect.stringContaining('["GET","/agents/demo-agent",200,')]);
  });
});

test('a HAR of a browser is replayed, with the reasons why entries are not', async () => {
  const file = path.join(recordings, 'devtools-http2.har');
  const client = CLIENT.replace(/\(async \(\) => \{[^]*/, `send('management', 'GET', '/accounts')`);
  const { code, out } = await beside(file, client);
  expect(responsesIn(out)).toEqual([expect.stringContaining('[{\\"id\\":\\"acc-demo\\",')]);
  expect(out).toContain(`Replaying 7 of 8 exchanges of ${file}; skipped: 1 × no operation of the interface.\n`);
  expect(code).toBe(0);
});

const harOf = (urls: readonly string[], content: object): string => {
  const file = path.join(newFolder(), 'run.har');
  const entries = urls.map((url) => ({
    request: { method: 'GET', url, headers: [] },
    response: { status: 200, headers: [], content },
  }));
  writeFileSync(file, JSON.stringify({ log: { entries } }));
  return file;
};

test.each([
  ['no file', () => '/nowhere/run.har', '"/nowhere/run.har" '],
  ['no recording', () => path.join(recordings, 'README.md'), 'Expected HAR (JSON, gzip or zip), or exchanges.ndjson'],
  [
    'no bodies',
    () => harOf(['https://api.example/v0/agents'], { size: 12 }),
    'none of its 1 exchanges can be replayed (1 × unknown response body). Expected requests to one deployment of the service, recorded with the bodies of the responses.',
  ],
  [
    'two deployments',
    () => harOf(['https://api.example/v0/agents', 'https://staging.example/v0/agents'], { text: '[]' }),
    'requests match the management API at 2 addresses (https://api.example/v0, https://staging.example/v0), so its addresses are unknown. Replay a recording of one deployment.',
  ],
])('a recording that cannot be replayed is refused: %s', async (_, file, message) => {
  const { code, out } = await run(['mock', '--port', '0', '--replay', file()]);
  expect(out).toContain(message);
  expect(code).toBe(2);
});
