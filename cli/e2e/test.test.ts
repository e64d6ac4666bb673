/** The exit codes and output of `assay test`; tests the real command against small servers. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from '../../spec/requirements/index.ts';
import type { Report } from '../../spec/verdicts.ts';
import { encoded } from '../../suites/generators/tampered-jwt.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../../suites/testing/local-server.ts';
import { newFolder, onlyThese, run, targetFile } from './testing/assay-process.ts';

const RULE = 'metrics.enums.group-by-values';

const dimensions = ['workspace', 'resource_type', 'resource_name', 'resource_uuid', 'billing_dimension'];
const answering =
  (values: readonly string[]) =>
  ({ url }: ReceivedRequest): LocalResponse => {
    if (url === '/v0/accounts') return { body: [{ id: 'acc-1' }] };
    return url.endsWith('/enums/group-by') ? { body: { values } } : { status: 404, body: { error: 'not found' } };
  };

const targetAt = (address: string): string =>
  targetFile({ addresses: { management: `${address}/v0` }, credentials: { admin: { value: 'marked-secret' } } });

test('0 when the rule held, and the report is written without a credential', async () => {
  await using server = await localServer(answering(dimensions));
  const report = path.join(newFolder(), 'report');
  const { code, out } = await run([
    'test',
    '--target',
    targetAt(server.address),
    '--only',
    RULE,
    '--seed',
    '7',
    '--report',
    report,
  ]);
  expect(out).toContain('must rules tried: 1 passed, 0 failed');
  expect(code).toBe(0);
  const text = readFileSync(path.join(report, 'report.json'), 'utf8');
  const { run: facts, summary, report: form } = JSON.parse(text) as Report;
  expect({ form, seed: facts.seed, complete: facts.complete, passed: summary.passed }).toEqual({
    form: 1,
    seed: 7,
    complete: true,
    passed: 1,
  });
  const exchanges = readFileSync(path.join(report, 'exchanges.ndjson'), 'utf8');
  expect(exchanges).toContain('"requirement":"metrics.enums.group-by-values"');
  for (const written of [out, text, exchanges]) expect(written).not.toContain('marked-secret');
});

test('requests that were sent again after 503 are counted', async () => {
  let count = 0;
  const respond = answering(dimensions);
  // The first request is sent before the run, to choose the account.
  await using server = await localServer((received) =>
    received.url.endsWith('/enums/group-by') && (count += 1) === 2 ? { status: 503, body: {} } : respond(received),
  );
  const { code, out } = await run(['test', '--target', targetAt(server.address), '--only', RULE]);
  expect(out).toContain('1 request was sent again after 502, 503 or 504.');
  expect(code).toBe(0);
});

test('1 when it failed, with a line that sends the request again', async () => {
  await using server = await localServer(answering(dimensions.slice(1)));
  const { code, out } = await run(['test', '--target', '-', '--only', RULE], {
    input: readFileSync(targetAt(server.address), 'utf8'),
  });
  expect(out).toContain(`failed ${RULE}`);
  expect(out).toContain('curl -sS -i');
  expect(code).toBe(1);
});

test('3 if the target stops responding during the run', async () => {
  let count = 0;
  const answer = answering(dimensions);
  await using server = await localServer((seen) => ((count += 1) <= 2 ? answer(seen) : 'break'));
  const { code, out } = await run(['test', '--target', targetAt(server.address), '--only', RULE]);
  expect(out).toContain('no response');
  expect(code).toBe(3);
});

test('3 if nothing listens', async () => {
  const closed = await localServer(() => ({}));
  await closed[Symbol.asyncDispose]();
  const { code, out } = await run(['test', '--base-url', `${closed.address}/v0`]);
  expect(out).toBe(
    `assay test: The target could not be reached. GET ${closed.address}/v0/accounts: no response (ECONNREFUSED): nothing listens on this port. Correct the port, or start the deployment.\n`,
  );
  expect(code).toBe(3);
});

test('3 if the proxy is unreachable, with its address and variable', async () => {
  const { code, out } = await run(['test', '--base-url', 'https://target.example/v0'], {
    env: { HTTPS_PROXY: 'http://user:pa55word@127.0.0.1:1' },
  });
  expect(out).toContain(
    'no response through the proxy 127.0.0.1:1 of HTTPS_PROXY (ECONNREFUSED): nothing listens there. Correct HTTPS_PROXY or HTTP_PROXY,',
  );
  expect(out).not.toContain('pa55word');
  expect(code).toBe(3);
});

test('2 if every credential is refused, without a run and a report', async () => {
  await using server = await localServer(() => ({ status: 401 }));
  const cwd = newFolder();
  const { code, out } = await run(['test', '--base-url', `${server.address}/v0`], {
    cwd,
    env: { SVC_ADMIN_TOKEN: 'wrong-admin', SVC_API_KEY: 'wrong-key' },
  });
  expect(out).toMatch(/^assay test: The target refuses every credential: .* SVC_ADMIN_TOKEN, SVC_API_KEY, and check/);
  expect({ code, sent: server.received.length, written: existsSync(path.join(cwd, 'reports')) }).toEqual({
    code: 2,
    sent: 4,
    written: false,
  });
});

test('3 if a client gets no token, without calling the target unreachable', async () => {
  await using server = await localServer(() => ({ status: 401 }));
  const clientCredentials = { tokenUrl: `${server.address}/oauth/token`, id: { value: 'a' }, secret: { value: 'b' } };
  const file = { addresses: { management: `${server.address}/v0` }, credentials: { admin: { clientCredentials } } };
  const { code, out } = await run(['test', '--target', targetFile(file)]);
  expect(out).toContain('assay test: credentials.admin:');
  expect(out).toContain('did not return a token (status 401, then 401)');
  expect(out).not.toContain('reached');
  expect(code).toBe(3);
});

test('2 before the run if nothing of the API responds at the management address', async () => {
  await using server = await localServer(() => ({ status: 404 }));
  const { code, out } = await run(['test', '--base-url', server.address], {
    env: { SVC_ADMIN_TOKEN: 'from-variable' },
  });
  expect(out).toMatch(/assay test: Nothing of the API responds at http:\S+: GET \/accounts, .* such as \/v0\./);
  expect(code).toBe(2);
});

test('an address without its path is reported, and that nothing was tried', async () => {
  await using server = await localServer(() => ({ status: 404 }));
  const report = path.join(newFolder(), 'report');
  const words = ['test', '--base-url', server.address, '--only', 'vpcs.*', '--report', report];
  const { code, out } = await run(words, { env: { SVC_ADMIN_TOKEN: 'from-variable' } });
  expect(out).toContain(`assay: GET /accounts returned 404: is ${server.address} the management address?`);
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    /fix first GET \/accounts returned 404: is .* rules pass --allow write, so that .* No must rule was tried, [^.]*\. 0 of/,
  );
  expect(readFileSync(path.join(report, 'summary.md'), 'utf8')).toMatch(/^## Conformance failed: 0 of/);
  expect(code).toBe(1);
});

test('--base-url uses the credentials from the usual variables', async () => {
  await using server = await localServer(answering(dimensions));
  const { code } = await run(['test', '--base-url', `${server.address}/v0`, '--only', RULE], {
    env: { SVC_ADMIN_TOKEN: 'from-variable' },
  });
  expect(code).toBe(0);
  const shown = server.received.map(({ headers }) => headers.authorization ?? headers['x-svc-authorization']);
  expect(new Set(shown)).toEqual(new Set(['Bearer from-variable']));
});

test('a case that fails at an address is tried again at that address', async () => {
  await using server = await localServer(answering(dimensions.slice(1)));
  const { out } = await run(['test', '--base-url', `${server.address}/v0/`, '--only', RULE, '--report', 'failed']);
  expect(out).toContain(`replay     npx --no assay replay failed ${RULE} --base-url ${server.address}/v0\n`);
});

test('ASSAY_TARGET names the target file', async () => {
  await using server = await localServer(answering(dimensions));
  const { code } = await run(['test', '--only', RULE], { env: { ASSAY_TARGET: targetAt(server.address) } });
  expect(code).toBe(0);
});

test.each([
  ['an unknown option', ['test', '--sead', '4'], ['--sead', '--seed']],
  [
    'a bad value',
    ['test', '--allow', 'all'],
    ['assay test: Invalid value "all" for --allow: expected', 'read, write, destroy'],
  ],
  ['an empty value', ['test', '--report', ''], ['Invalid value "" for --report', 'a non-empty string']],
  ['a value that is missing', ['test', '--report'], ['--report', 'See assay test --help']],
  ['a number that is none', ['test', '--runs', '1e3'], ['"1e3"', 'an integer']],
  ['a budget that is none', ['test', '--budget', '-1'], ['"-1"', 'an integer']],
  ['a patience that is none', ['test', '--patience', 'long'], ['"long"', '0 or more']],
  ['a glob that fits nothing', ['test', '--only', 'metrix.*'], ['"metrix.*"', 'metrics']],
  ['globs that leave nothing', ['test', '--only', 'vpcs.*', '--skip', 'v*'], ['--only and --skip select no rule']],
  ['no target', ['test'], ['--target', '--base-url', 'ASSAY_TARGET']],
  ['a file that is not there', ['test', '--target', '/nowhere.yaml'], ['/nowhere.yaml']],
  ['an unknown command', ['tset'], ['tset', 'mock, test, init, doctor, sweep, report, merge, replay', 'rules']],
  ['an argument too many', ['rules', 'metrics'], ['metrics', 'See assay rules --help']],
  ['a target file without its flag', ['test', 'my.yaml'], ['my.yaml', 'A target is passed with --target <file> or']],
  [
    'a command without dashes before it',
    ['mock', 'npx', '--no', 'assay', 'test'],
    ['npx', 'follows --. See assay mock --help'],
  ],
  ['dashes without a command', ['mock', '--'], ['follow --']],
  ['dashes where no command belongs', ['rules', '--', 'x'], ['follow --']],
  ['an instant that is no day', ['mock', '--now', '2026-02-30T00:00:00Z'], ['2026-02-30']],
])('2 for %s, with a sentence that names it', async (_, words, named) => {
  const { code, out } = await run(words);
  for (const name of named) expect(out).toContain(name);
  expect(code).toBe(2);
});

test('an invalid value is reported once, without the list of options', async () => {
  const { out } = await run(['test', '--allow', 'all']);
  expect(out).toBe('assay test: Invalid value "all" for --allow: expected one of read, write, destroy.\n');
});

test('an unknown option is reported with the known ones', async () => {
  const { out } = await run(['sweep', '--frce']);
  expect(out).toMatch(
    /^error: unknown option '--frce'\n\(Did you mean --force\?\)\nAllowed: --target <file>, .*--rate <n>, /,
  );
});

test('an empty variable counts as not set', async () => {
  await using server = await localServer(answering(dimensions));
  const names = ['ASSAY_TARGET', 'SVC_WORKSPACE', 'SVC_ACCOUNT', 'SVC_ADMIN_TOKEN', 'SVC_MEMBER_TOKEN'];
  const env = Object.fromEntries(names.map((name) => [name, '']));
  const { out } = await run(['test', '--base-url', `${server.address}/v0`, '--only', RULE], { env });
  expect(out).toContain('must rules tried:');
  expect((await run(['test'], { env })).out).toContain('No target. Expected --target FILE');
});

test('1 in a strict run with a must rule that is not tried', async () => {
  await using server = await localServer(answering(dimensions));
  const words = ['test', '--target', targetAt(server.address), '--strict', '--only', RULE];
  const { code, out } = await run([...words, '--only', 'vpcs.*']);
  expect(out).toContain('must rules were not tried');
  expect({ code, alone: (await run(words)).code }).toEqual({ code: 1, alone: 0 });
});

test('--patience is how long to wait for delayed effects', async () => {
  await using server = await localServer(({ method, url }) =>
    method === 'PUT' ? { status: 404 } : url === '/v0/agents' ? {} : answering(dimensions)({ url } as ReceivedRequest),
  );
  const words = ['test', '--target', targetAt(server.address), '--allow', 'write', '--patience', '0'];
  await run([...words, '--only', 'agents.update.round-trip']);
  const updates = server.received.filter(({ method, url }) => method === 'PUT' && url.startsWith('/v0/agents/assay-'));
  expect(updates).toHaveLength(1);
});

test('--budget limits the resources that the target has not removed', async () => {
  await using server = await localServer((seen) =>
    seen.method === 'POST' || seen.method === 'DELETE'
      ? { status: seen.method === 'POST' ? 200 : 404, body: JSON.parse(seen.body || '{}') as object }
      : answering(dimensions)(seen),
  );
  const words = ['test', '--target', targetAt(server.address), '--allow', 'write', '--budget', '2', '--patience', '0'];
  const { out } = await run([...words, ...onlyThese('vpcs.*', 'versions.listed.*', 'naming.name.*')]);
  expect(
    server.received.filter(({ method, url }) => method === 'POST' && url.startsWith('/v0/')).length,
  ).toBeGreaterThan(0);
  const names = [...out.matchAll(/Not removed: (\S+)/g)].map(([, name]) => name);
  expect(new Set(names).size).toBeLessThanOrEqual(2);
  expect(names).not.toEqual([]);
});

test('2 for a misspelt key of the target file', async () => {
  const { code, out } = await run(['test', '--target', '-'], { input: 'adresses: {management: "http://a/v0"}' });
  expect(out).toContain('Unknown key "adresses". Did you mean "addresses"? Allowed: name, brand, addresses');
  expect(code).toBe(2);
});

test('options may stand in assay.config.ts, and a flag wins', async () => {
  await using server = await localServer(answering(dimensions));
  const cwd = newFolder();
  const options = { baseUrl: `${server.address}/v0`, only: [RULE], seed: 5, report: 'from-file' };
  writeFileSync(
    path.join(cwd, 'assay.config.ts'),
    `export default { test: ${JSON.stringify(options)} satisfies object };`,
  );
  expect((await run(['test', '--seed', '6'], { cwd })).code).toBe(0);
  const { run: facts } = JSON.parse(readFileSync(path.join(cwd, 'from-file', 'report.json'), 'utf8')) as Report;
  expect(facts.seed).toBe(6);
});

test('a credential that ends before the run does is named when it starts, and in the report', async () => {
  await using server = await localServer(answering(dimensions));
  const exp = Math.floor(Date.now() / 1000) + 60;
  const admin = { value: [encoded({ alg: 'HS256' }), encoded({ exp }), 'c2ln'].join('.') };
  const target = targetFile({ addresses: { management: `${server.address}/v0` }, credentials: { admin }, rate: 5 });
  const report = path.join(newFolder(), 'report');
  const { out } = await run(['test', '--target', target, '--time', '65s', '--report', report], {
    onStart: (child) =>
      child.stderr?.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('credentials.admin')) child.kill('SIGINT');
      }),
  });
  const warning = /credentials\.admin ends at \S+Z, in .+; a run takes about .+ use a token that lasts longer/;
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(warning);
  const { run: facts } = JSON.parse(readFileSync(path.join(report, 'report.json'), 'utf8')) as Report;
  expect(facts.warnings?.[0]).toMatch(warning);
  // The warning interrupted the run.
  expect(facts.complete).toBe(false);
});

test('a flag takes precedence over ASSAY_TARGET, which takes precedence over assay.config.ts', async () => {
  const cwd = newFolder();
  writeFileSync(path.join(cwd, 'assay.config.ts'), "export default { test: { target: 'configured.yaml' } };");
  await using named = await localServer(answering(dimensions));
  await using flagged = await localServer(answering(dimensions));
  const [words, env] = [['test', '--only', RULE], { ASSAY_TARGET: targetAt(named.address) }];
  expect((await run(words, { cwd })).out).toContain('"configured.yaml"');
  expect((await run(words, { cwd, env })).code).toBe(0);
  const requestCount = named.received.length;
  await run([...words, '--base-url', `${flagged.address}/v0`], { cwd, env });
  expect({ named: named.received.length, flagged: flagged.received.length > 0 }).toEqual({
    named: requestCount,
    flagged: true,
  });
});

test.each([
  ['{ test: { sead: 1 } }', '"sead"'],
  ['{ tests: {} }', '"tests"'],
  ['{ test: { runs: "many" } }', '"many"'],
  ['{ test: { seed: [1, {}] } }', 'test.seed'],
  ['{ test: { only: [] } }', 'test.only: an empty array'],
  ['{ test: { seed: [1] } }', 'test.seed: an array is not a single value, because --seed cannot be repeated'],
  ['{ test: { report: "" } }', 'test.report: expected a non-empty string, found ""'],
  ['7', 'Expected an object with the keys mock, test'],
])('assay.config.ts with %s is refused', async (content, named) => {
  const cwd = newFolder();
  writeFileSync(path.join(cwd, 'assay.config.ts'), `export default ${content};`);
  const { code, out } = await run(['test'], { cwd });
  expect(out).toContain(named);
  expect(code).toBe(2);
});

test('--rules-as-of is recorded in the report, and is refused with the valid versions if there is no such version', async () => {
  await using server = await localServer(answering(dimensions));
  const [cwd, words] = [newFolder(), ['test', '--target', targetAt(server.address), '--only', RULE, '--report', 'r']];
  expect((await run([...words, '--rules-as-of', '0.1.0'], { cwd })).code).toBe(0);
  const { run: facts } = JSON.parse(readFileSync(path.join(cwd, 'r', 'report.json'), 'utf8')) as Report;
  expect(facts.rulesAsOf).toBe('0.1.0');
  const { code, out } = await run([...words, '--rules-as-of', '9.9']);
  expect(out).toContain('Invalid value "9.9" for --rules-as-of: expected one of 0.1.0.');
  expect(code).toBe(2);
  writeFileSync(path.join(cwd, 'assay.config.ts'), "export default { test: { rulesAsOf: '9.9' } };");
  expect((await run(words, { cwd })).out).toContain('test.rulesAsOf: "9.9" is not one of 0.1.0');
});

test('assay rules --json is the catalogue, each must rule with its case and a deviation', async () => {
  const { code, out } = await run(['rules', '--json']);
  const rules = JSON.parse(out) as { id: string; level: string; since: string; case?: string; deviations: string[] }[];
  expect(rules).toHaveLength(requirements.length);
  expect(rules.filter(({ since }) => !/^\d+\.\d+\.\d+$/.test(since))).toEqual([]);
  expect((await run(['rules'])).out).toContain(`${rules[0]?.id} (since ${rules[0]?.since})`);
  const untried = rules.filter(({ case: own, deviations }) => own === undefined || deviations.length === 0);
  expect(untried.filter(({ level }) => level === 'must')).toEqual([]);
  expect(code).toBe(0);
});

test('2 for a folder that the report cannot be written to', async () => {
  await using server = await localServer(answering(dimensions));
  const { code, out } = await run(['test', '--target', targetAt(server.address), '--report', '/dev/null/x']);
  expect(out).toContain('/dev/null/x');
  expect(code).toBe(2);
});

test('help tells the flags of a command', async () => {
  const { code, out } = await run(['help', 'test']);
  expect(out).toContain('--only');
  expect(code).toBe(0);
});

test('without a command, it lists the commands', async () => {
  const { code, out } = await run([]);
  for (const command of ['mock', 'test', 'sweep', 'merge', 'replay', 'rules']) expect(out).toContain(command);
  expect(code).toBe(0);
});
