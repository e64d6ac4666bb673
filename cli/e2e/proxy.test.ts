/** `assay proxy` as a user starts it: what it tells, what it keeps to itself, and what it ends with. */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import type { MockOptions } from '../../mock/start-mock.ts';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Ended, Options } from './testing/assay-process.ts';
import { run, targetFile } from './testing/assay-process.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** The target file of a mock of ours. */
async function mockTarget(options: MockOptions = {}): Promise<TargetFile> {
  const mock = await startMock({ port: 0, ...options });
  opened.push(() => mock.close());
  return mock.target;
}

/** Stands at the beginning of each frontend's script. */
const prologue = `
  const { addresses, credentials } = JSON.parse(require('fs').readFileSync(process.env.ASSAY_TARGET));
  const headers = { authorization: 'Bearer ' + credentials?.apiKey?.value, 'content-type': 'application/json' };
  const ask = async (method, path, body, more) => {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const answer = await fetch(addresses.management + path, { method, headers: { ...headers, ...more }, body: text });
    await answer.arrayBuffer();
    return answer;
  };
  const agent = { metadata: { name: 'demo-agent' }, spec: { enabled: true } };`;

/** Runs a frontend behind the proxy. */
function behindProxy(target: TargetFile, script: string, options: Options = {}): Promise<Ended> {
  const program = `${prologue}; (async () => { ${script} })()`;
  return run(['proxy', '--target', targetFile(target), '--', process.execPath, '-e', program], options);
}

test('a target with a deviation is reported behind the proxy', async () => {
  const target = await mockTarget({
    deviate: ['resources.shapes.fit-the-schema/returns-the-events-of-an-updated-agent-as-an-object'],
  });
  const { code, out } = await behindProxy(
    target,
    `await ask('PUT', '/agents/demo-agent', agent); process.exitCode = 7;`,
  );
  expect(out).toContain('Violation by the target: PUT /agents/{agentName} (updateAgent), status 200\n');
  expect(out).toContain(`curl -sS -i -X PUT ${target.addresses.management}/agents/demo-agent `);
  expect(out).toContain('"$SVC_API_KEY"');
  expect(out).toMatch(/updateAgent +1 +1 +0 +1\n/);
  expect(code).toBe(1);
});

describe('the exit code', () => {
  test('is that of the command if no exchange violates the documents', async () => {
    const { code, out } = await behindProxy(
      await mockTarget(),
      `await ask('PUT', '/agents/demo-agent', agent); process.exitCode = 7;`,
    );
    expect(out).not.toContain('Violation by');
    expect(code).toBe(7);
  });

  test('is 0 if rules were judged and none is broken, and 1 if none was judged, like that of assay judge', async () => {
    const target = await mockTarget();
    expect(await behindProxy(target, `await ask('GET', '/accounts');`)).toMatchObject({ code: 0 });
    expect(await behindProxy(target, '')).toMatchObject({ code: 1 });
  });

  test('is 3 for a target that returned no response, for which the client gets 502', async () => {
    const target = await mockTarget();
    for (const close of opened.splice(0)) await close();
    const { code, out } = await behindProxy(target, `console.log('status', (await ask('GET', '/accounts')).status);`);
    expect(out).toContain('status 502');
    expect(out).toMatch(/GET \/v0\/accounts: no response \(ECONNREFUSED\) from http:\/\/127\.0\.0\.1:\d+\.\n/);
    expect(out).toContain('1 request without a complete response');
    expect(code).toBe(3);
  });
});

describe('on its own', () => {
  test('prints its address and target, and shuts down on a signal', async () => {
    const target = await mockTarget();
    const { code, out } = await run(['proxy', '--target', targetFile(target), '--port', '0'], {
      onStart: (child) =>
        child.stdout?.on('data', (chunk: Buffer) => {
          if (chunk.includes('The proxy is ready')) child.kill('SIGTERM');
        }),
    });
    expect(out).toMatch(/Validator self-check: (\d{3}) of \1\./);
    expect(out).toMatch(/management +http:\/\/127\.0\.0\.1:\d+\/v0 +for +http:\/\/127\.0\.0\.1:\d+\/v0\n/);
    expect(out).toContain(`for  ${target.addresses.sandbox}\n`);
    expect(out).toMatch(/total +0 +0 +0 +0\n/);
    expect(out).toContain('No must rule was tried');
    expect(code).toBe(1);
  });

  test('it prints a line with a target file for itself', async () => {
    const target = await mockTarget();
    const ready = Promise.withResolvers<[string, ChildProcess]>();
    const ended = run(['proxy', '--json', '--port', '0', '--target', targetFile(target)], {
      onStart: (child) => {
        if (child.stdout === null) throw new Error('It has no output.');
        createInterface(child.stdout).once('line', (line) => ready.resolve([line, child]));
      },
    });
    const [line, child] = await ready.promise;
    const readyLine = JSON.parse(line) as { ready: boolean; target: TargetFile };
    expect(readyLine.ready).toBe(true);
    expect(Object.keys(readyLine.target.addresses).sort()).toEqual(['host', 'inference', 'management', 'sandbox']);
    expect(readyLine.target).toMatchObject({ credentials: target.credentials, workspace: 'demo' });
    expect((await fetch(`${readyLine.target.addresses.management}/accounts`)).status).toBe(401);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });
});

describe('refuses', () => {
  test.each([
    ['no target', [], /No target\. Expected --target FILE/],
    ['a file that is not there', ['--target', 'no-such.yaml'], /"no-such\.yaml" does not exist/],
    ['an unknown flag', ['--upstream', 'x'], /unknown option '--upstream'[^]*Allowed: --target/],
    ['a port that is none', ['--port', '70000'], /an integer from 0 to 65535/],
    ['a command that is missing', ['--base-url', 'http://127.0.0.1:1/v0', '--'], /A command must follow --/],
    ['a host that is none', ['--base-url', 'http://127.0.0.1:1/v0', '--host', 'no.invalid'], /no\.invalid/],
  ])('%s is bad usage', async (_, flags, says) => {
    const { code, out } = await run(['proxy', ...flags]);
    expect(out).toMatch(says);
    expect(out).not.toMatch(/^\s+at /m);
    expect(code).toBe(2);
  });

  test('a first port behind which there are not enough is bad usage', async () => {
    const { code, out } = await run(['proxy', '--target', targetFile(await mockTarget()), '--port', '65535']);
    expect(out).toContain(
      'Invalid value 65535 for --port: the target has 2 origins, each of which needs a port from there on; expected at most 65534.',
    );
    expect(out).not.toMatch(/^\s+at /m);
    expect(code).toBe(2);
  });

  test('a port that is taken is bad usage', async () => {
    const target = await mockTarget();
    const { port } = new URL(target.addresses.management);
    const { code, out } = await run(['proxy', '--target', targetFile(target), '--port', port]);
    expect(out).toContain('EADDRINUSE');
    expect(code).toBe(2);
  });
});
