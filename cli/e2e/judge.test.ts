/** `assay judge` as a user starts it: a recorded run, its verdicts, and what the report keeps to itself. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningMock } from '../../mock/start-mock.ts';
import { startMock } from '../../mock/start-mock.ts';
import type { Report } from '../../spec/verdicts.ts';
import { newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';

const DEVIATION = 'metrics.group-by.no-duplicates';
/** Its cases send what several judgements decide. */
const RECORDED = onlyThese('metrics.group-by.*', 'resources.shapes.*');

interface Recorded {
  readonly mock: RunningMock;
  readonly folder: string;
}

async function record(deviate: readonly string[]): Promise<Recorded> {
  const mock = await startMock({ port: 0, deviate: [...deviate] });
  const folder = newFolder();
  const flags = ['--exchanges', 'all', '--har', '--quick', '--seed', '1', '--report', folder];
  await run(['test', '--target', targetFile(mock.target), ...RECORDED, ...flags]);
  return { mock, folder };
}

let conforming: Recorded;
let deviating: Recorded;
beforeAll(async () => {
  [conforming, deviating] = await Promise.all([record([]), record([DEVIATION])]);
});
afterAll(async () => {
  for (const { mock } of [conforming, deviating]) await mock.close();
});

async function judge(words: readonly string[], env: Record<string, string> = {}) {
  const folder = newFolder();
  const { code, out } = await run(['judge', ...words, '--report', folder], { env });
  const file = path.join(folder, 'report.json');
  return { code, out, folder, report: () => JSON.parse(readFileSync(file, 'utf8')) as Report };
}

const resultOf = ({ requirements }: Report, id: string) => requirements.find((each) => each.id === id);

describe.each(['exchanges.ndjson', 'exchanges.har'])('a recorded run, as %s', (file) => {
  test('of a conforming target violates nothing', async () => {
    const { code, out, report } = await judge([path.join(conforming.folder, file)]);
    expect(out).toMatch(/\d+ of \d+ must rules tried: \d+ passed, 0 failed; \d+ exchanges judged/);
    expect(code).toBe(0);
    expect(resultOf(report(), DEVIATION)?.verdict).toBe('passed');
    expect(report().coverage?.exercised).toBeGreaterThan(0);
  });

  test('of a target with a deviation fails, with the entry that shows it', async () => {
    const { code, out, report, folder } = await judge([path.join(deviating.folder, file)]);
    const result = resultOf(report(), DEVIATION);
    expect({ code, verdict: result?.verdict }).toEqual({ code: 1, verdict: 'failed' });
    expect(result?.counterexample).toMatchObject({ expected: 'status 400', actual: 'status 200' });
    expect(result?.counterexample?.recorded).toMatch(/exchanges\.(ndjson, exchange|har, entry) \d+$/);
    expect(result?.counterexample?.curl).toContain('$SVC_');
    expect(out).toContain(`failed ${DEVIATION}`);
    expect(out).not.toContain('assay replay');
    expect(readFileSync(path.join(folder, 'exchanges.ndjson'), 'utf8')).toContain(`"requirement":"${DEVIATION}"`);
  });
});

test('says why rules were not tried', async () => {
  const { report } = await judge([path.join(conforming.folder, 'exchanges.ndjson')]);
  const reasons = report().requirements.flatMap(({ reason }) => reason ?? []);
  expect(reasons).toContainEqual(expect.stringMatching(/^needs requests of its own: assay test --only \S+$/));
});

test('several recordings are counted together, and known failures do not fail', async () => {
  const list = path.join(newFolder(), 'known.yaml');
  writeFileSync(list, `- { id: ${DEVIATION}, reason: accepted, ticket: T-1, expires: 2099-01-01 }\n`);
  const files = [conforming, deviating].map(({ folder }) => path.join(folder, 'exchanges.ndjson'));
  const { code, report } = await judge([...files, '--known-failures', list, '--only', DEVIATION]);
  expect({ code, verdict: resultOf(report(), DEVIATION)?.verdict }).toEqual({ code: 0, verdict: 'known-failure' });
  expect(report().run.judged?.recordings).toEqual(files);
});

test('secrets of a recording are not in the report', async () => {
  const { mock } = deviating;
  const { management } = mock.target.addresses;
  const [known, unknown] = [mock.target.credentials.admin.value, 'opaque-token-of-a-person-4711'];
  const others = { cookie: 'session=cookie-secret-4712', 'x-custom': 'custom-secret-4713' };
  const entries = [known, unknown].map((token, index) => ({
    startedDateTime: new Date(Date.UTC(2026, 10, 28, 0, index)).toISOString(),
    time: 5,
    request: {
      method: 'GET',
      url: `${management}/accounts/acc-demo/metrics?startTime=2026-10-01T00:00:00Z&endTime=2026-10-03T00:00:00Z&groupBy=workspace,workspace&api_key=query-secret-4714`,
      headers: Object.entries({ authorization: `Bearer ${token}`, ...others }).map(([name, value]) => ({
        name,
        value,
      })),
    },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: -1, mimeType: 'application/json', text: '{"data":[],"token":"body-secret-4715"}' },
    },
  }));
  const file = path.join(newFolder(), 'traffic.har');
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } }));
  const { code, out, folder, report } = await judge([file, '--target', targetFile(mock.target)]);
  expect({ code, verdict: resultOf(report(), DEVIATION)?.verdict }).toEqual({ code: 1, verdict: 'failed' });
  const written = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  const secrets = [known, unknown, 'cookie-secret', 'custom-secret', 'query-secret', 'body-secret'];
  expect([out, ...written].flatMap((text) => secrets.filter((secret) => text.includes(secret)))).toEqual([]);
});

describe('behind the proxy', () => {
  /** Sends a query that the deviation accepts, twice, with a credential that the target file does not have, and one that it has. */
  const SCRIPT = `
    const { addresses, credentials } = JSON.parse(require('fs').readFileSync(process.env.ASSAY_TARGET));
    const query = 'startTime=2026-10-01T00:00:00Z&endTime=2026-10-03T00:00:00Z&groupBy=workspace,workspace';
    const ask = async (token) => (await fetch(addresses.management + '/accounts/acc-demo/metrics?' + query, {
      headers: { authorization: 'Bearer ' + token, cookie: 'session=cookie-secret-4712' },
    })).text();
    (async () => { for (const token of ['stranger-secret-4711', credentials.admin.value, credentials.admin.value]) await ask(token); })();`;

  async function behindProxy({ mock }: Recorded) {
    const [folder, file] = [newFolder(), path.join(newFolder(), 'traffic.ndjson')];
    const words = ['proxy', '--target', targetFile(mock.target), '--report', folder, '--record', file];
    const ended = await run([...words, '--', process.execPath, '-e', SCRIPT]);
    return { ...ended, folder, file };
  }

  test('a broken rule is printed once and fails; the recording can be judged', async () => {
    const { code, out, folder, file } = await behindProxy(deviating);
    expect(code).toBe(1);
    expect(out.split(`failed ${DEVIATION}\n`)).toHaveLength(2);
    expect(out).toContain(`failed ${DEVIATION} (judged by 2 exchanges)`);
    const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as Report;
    expect(resultOf(report, DEVIATION)).toMatchObject({ verdict: 'failed', counterexample: { recorded: 'request 2' } });
    expect(report.run.judged).toEqual({ recordings: [], exchanges: 3, skipped: [] });
    const again = await judge([file, '--target', targetFile(deviating.mock.target)]);
    expect(resultOf(again.report(), DEVIATION)).toMatchObject({ verdict: 'failed', inputs: 2 });
    const texts = [out, readFileSync(file, 'utf8'), JSON.stringify(report)];
    const secrets = ['stranger-secret', 'cookie-secret', deviating.mock.target.credentials.admin.value];
    expect(texts.flatMap((text) => secrets.filter((secret) => text.includes(secret)))).toEqual([]);
  });

  test('a conforming target passes', async () => {
    const { code, out } = await behindProxy(conforming);
    expect(out).toMatch(/must rules tried: \d+ passed, 0 failed; 3 exchanges judged\./);
    expect(code).toBe(0);
  });
});

describe('refuses', () => {
  test('a recording without the management API, unless there is a target', async () => {
    const file = path.join(newFolder(), 'other.ndjson');
    const line = readFileSync(path.join(conforming.folder, 'exchanges.ndjson'), 'utf8').split('\n', 1)[0] ?? '';
    writeFileSync(file, line.replaceAll('/v0/', '/other/'));
    const { code, out } = await judge([file]);
    expect(out).toContain('so its addresses are unknown. Pass --target FILE');
    expect(code).toBe(2);
  });

  test.each([
    ['no file', [], /missing required argument 'file'/],
    ['a file that does not exist', ['no-such.har'], /no-such\.har/],
    ['a glob that matches no rule', ['x.har', '--only', 'x.*'], /matches no rule/],
  ])('%s', async (_, words, message) => {
    const { code, out } = await judge(words);
    expect(out).toMatch(message);
    expect(out).not.toMatch(/^\s+at /m);
    expect(code).toBe(2);
  });
});
