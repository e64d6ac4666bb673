/** Checks the files in docs/docker: their commands are run without Docker, and their secrets and ports fit together. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { projectRoot } from './testing/markdown-pages.ts';

const textOf = (file: string): string => readFileSync(path.join(projectRoot, 'docs/docker', file), 'utf8');
const secrets = { CONTROL_TOKEN: 'control-token-of-this-test', API_KEY: 'api-key-of-this-test' };

interface Service {
  command: string[];
  environment: Record<string, string>;
  ports: string[];
  healthcheck: { test: string[] };
}

interface Variable {
  name: string;
  valueFrom: { secretKeyRef: { name: string; key: string } };
}

interface Container {
  args: string[];
  env: Variable[];
  ports: { name: string; containerPort: number }[];
  readinessProbe: { tcpSocket: { port: string } };
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    selector: Record<string, unknown>;
    template: { metadata: { labels: object }; spec: { containers: [Container] } };
    ports: { port: number; targetPort: string }[];
  };
}

const { services } = parse(textOf('compose.yaml')) as { services: { mock: Service } };
const manifests = parseAllDocuments(textOf('kubernetes.yaml'));
const [deployment, service] = manifests.map((each) => each.toJS() as Manifest) as [Manifest, Manifest];
const [container] = deployment.spec.template.spec.containers;

/** `${NAME:?message}`, as Compose replaces it. */
const filledIn = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, name: keyof typeof secrets) => secrets[name] ?? expect.fail(name));

/** Runs the command as the container does, but on a free port. Resolves to the address of the host. */
async function start(words: readonly string[], environment: NodeJS.ProcessEnv) {
  const bin = path.join(projectRoot, 'cli/assay.mjs');
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [bin, ...words, '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { target } = JSON.parse(line) as { target: { addresses: { host: string } } };
  return { child, host: target.addresses.host.replace('0.0.0.0', '127.0.0.1') };
}

/** As a container is stopped. */
async function stop(child: ChildProcess): Promise<unknown> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exited;
  return code;
}

async function statusesOf(host: string): Promise<number[]> {
  const requests: [string, string][] = [
    ['/v0/agents', secrets.API_KEY],
    ['/v0/agents', 'svc-key-5e2d177214e498f0d20ea1fdb382f339'],
    ['/_mock/health', secrets.CONTROL_TOKEN],
    ['/_mock/health', 'other'],
  ];
  const responses = requests.map(([url, token]) =>
    fetch(`${host}${url}`, { headers: { authorization: `Bearer ${token}` } }),
  );
  return (await Promise.all(responses)).map(({ status }) => status);
}

test('the mock of Compose accepts only the given credentials, and its health check succeeds', async () => {
  const { command, environment, healthcheck } = services.mock;
  const filled = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(value)]));
  const { child, host } = await start(command, filled);
  try {
    expect(await statusesOf(host)).toEqual([200, 401, 200, 401]);
    const [kind, program, ...words] = healthcheck.test;
    expect([kind, program]).toEqual(['CMD', 'node']);
    const check = (env: object) =>
      promisify(execFile)(
        process.execPath,
        words.map((each) => each.replace('http://127.0.0.1:4010', host)),
        {
          env: { ...process.env, ...env },
        },
      );
    await check(filled);
    await expect(check({ ASSAY_CONTROL_TOKEN: 'other' })).rejects.toThrow('Command failed');
  } finally {
    expect(await stop(child)).toBe(0);
  }
});

test('the mock of Kubernetes accepts only the credentials of the secret', async () => {
  const keys = Object.fromEntries(container.env.map(({ name, valueFrom }) => [name, valueFrom.secretKeyRef]));
  expect(keys).toEqual({
    ASSAY_CONTROL_TOKEN: { name: 'assay-mock', key: 'control-token' },
    ASSAY_API_KEY: { name: 'assay-mock', key: 'api-key' },
  });
  const { child, host } = await start(container.args, {
    ASSAY_CONTROL_TOKEN: secrets.CONTROL_TOKEN,
    ASSAY_API_KEY: secrets.API_KEY,
  });
  try {
    expect(await statusesOf(host)).toEqual([200, 401, 200, 401]);
  } finally {
    expect(await stop(child)).toBe(0);
  }
});

test('ports and labels fit together', () => {
  expect(manifests.flatMap(({ errors }) => errors)).toEqual([]);
  expect(services.mock.ports).toEqual(['127.0.0.1:4010:4010']);
  expect([deployment.kind, service.kind]).toEqual(['Deployment', 'Service']);
  expect(service.spec.selector).toEqual(deployment.spec.template.metadata.labels);
  expect(deployment.spec.selector).toEqual({ matchLabels: deployment.spec.template.metadata.labels });
  expect(container.ports).toEqual([{ name: 'http', containerPort: 4010 }]);
  expect(container.readinessProbe.tcpSocket.port).toBe('http');
  expect(service.spec.ports).toEqual([{ name: 'http', port: 4010, targetPort: 'http' }]);
});

test('the image starts the command that the package installs', () => {
  const instructions = Object.fromEntries(
    textOf('Dockerfile')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.split(' ', 1)[0], line.slice(line.indexOf(' ') + 1)]),
  );
  const { bin, name, engines } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
  expect(JSON.parse(instructions['ENTRYPOINT'] ?? '')).toEqual([
    `${instructions['WORKDIR']}/node_modules/.bin/${Object.keys(bin)[0]}`,
  ]);
  const [packed, copy = ''] = (instructions['COPY'] ?? '').split(' ');
  expect(packed).toBe(`${name.replace('@', '').replace('/', '-')}-*.tgz`);
  expect(instructions['RUN']).toContain(copy);
  expect(instructions['EXPOSE']).toBe('4010');
  const [, major] = /^node:(\d+)/.exec(instructions['FROM'] ?? '') ?? [];
  expect(Number(major)).toBeGreaterThanOrEqual(Number.parseInt(engines.node.slice(2)));
});
