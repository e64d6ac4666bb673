/** The project of a user of the package, file by file, for `npm run test:package`. */

const useTypes = `
import { startMock, VerificationError } from '@svc/assay';
import type { Agent, MockOptions, Report, RunningMock, TargetFile, WorldFile } from '@svc/assay';

const options: MockOptions = { seed: 7, clock: 'frozen' };
const mock: RunningMock = await startMock(options);
try {
  const response = await fetch(\`\${mock.addresses.management}/agents\`, {
    headers: { authorization: \`Bearer \${mock.target.credentials.apiKey.value}\` },
  });
  const agents = (await response.json()) as Agent[];
  const name: string | undefined = agents[0]?.metadata.name;
  await mock.clock.advance('1h');
  await mock.faults.set([{ operation: 'listAgents', status: 503 }]);
  await mock.verify({ requests: [{ operation: 'listAgents', times: 1 }] });
  const world = await mock.newWorld({ seed: 8 });
  await world.close();
  // @ts-expect-error The types are not any.
  const wrong: number = mock.addresses.management;
  console.log(name, wrong);
} catch (error) {
  if (error instanceof VerificationError) console.log(error.failures);
  else throw error;
} finally {
  await mock.close();
}
export const target: TargetFile = {
  addresses: { management: 'https://api.example/v0' },
  workspace: 'demo',
  credentials: { apiKey: { env: 'KEY' } },
};
export const world: Partial<WorldFile> = {};
export const failed = (report: Report): number => report.summary.failed;
`;

const exportsScript = `
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ruleset from '@svc/assay/ruleset';

for (const file of ['openapi/management.json', 'schemas/target.json'])
  JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('@svc/assay/' + file)), 'utf8'));
if (Object.keys(ruleset.rules).length === 0) throw new Error('The ruleset has no rules.');
`;

/** Has one finding, in the file that it refers to. */
const apiDocument = `
openapi: 3.1.0
info: { title: Team, version: '1', description: An API of a team. }
paths: {}
components: { schemas: { Open: { $ref: 'parts.yaml#/Open' } } }
`;

const vitestTest = `
import { expect } from 'vitest';
import { test } from '@svc/assay/vitest';

test.override({ worldOptions: { clock: 'frozen' } });

test('lists agents', async ({ world }) => {
  const response = await fetch(\`\${world.addresses.management}/agents\`, {
    headers: { authorization: \`Bearer \${world.target.credentials.apiKey.value}\` },
  });
  expect(response.status).toBe(200);
  await world.verify({ requests: [{ operation: 'listAgents', times: 1 }] });
});

test('has its own world', async ({ world, mock }) => {
  expect(await world.requests()).toEqual([]);
  expect(world.addresses.management).not.toBe(mock.addresses.management);
  // @ts-expect-error The types are not any.
  const wrong: number = world.id;
  expect(typeof wrong).toBe('string');
});
`;

const playwrightTest = `
import { expect } from '@playwright/test';
import { test } from '@svc/assay/playwright';

test.use({ worldOptions: { clock: 'frozen' } });

test('requests of the test', async ({ world, request }) => {
  const headers = { authorization: \`Bearer \${world.target.credentials.apiKey.value}\` };
  const response = await request.get(\`\${world.addresses.management}/agents\`, { headers });
  expect(response.status()).toBe(200);
  await world.verify({ requests: [{ operation: 'listAgents', times: 1 }] });
});

for (const serviceUrl of ['http://127.0.0.1:4010/v0', 'https://api.example/v0'])
  test.describe(serviceUrl, () => {
    test.use({ serviceUrl });

    test('requests of a page', async ({ world, page, mock }) => {
      test.skip(process.env.CHROMIUM === undefined, 'no browser');
      await page.goto(\`\${mock.addresses.host}/_mock/health\`);
      const headers = { authorization: \`Bearer \${world.target.credentials.apiKey.value}\` };
      const url = \`\${serviceUrl}/agents\`;
      const get = async (given: { url: string; headers: typeof headers }) =>
        (await fetch(given.url, { headers: given.headers })).status;
      expect(await page.evaluate(get, { url, headers })).toBe(200);
      await world.verify({ requests: [{ operation: 'listAgents', times: 1 }] });
    });
  });
`;

const playwrightConfig = `
import { defineConfig } from '@playwright/test';
import type { MockTestOptions, MockWorkerOptions } from '@svc/assay/playwright';

const executablePath = process.env.CHROMIUM;
export default defineConfig<MockTestOptions, MockWorkerOptions>({
  testDir: 'e2e',
  use: {
    launchOptions: executablePath === undefined ? {} : { executablePath },
    serviceUrl: undefined,
    worldOptions: { clock: 'running' },
    mockOptions: { seed: 7 },
  },
});
`;

const compilerOptions = {
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'],
};

export const consumerFiles: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  'use-types.ts': useTypes,
  'exports.js': exportsScript,
  'documents/api.yaml': apiDocument,
  'documents/parts.yaml': 'Open: { type: object, description: Anything. }\n',
  'unit/agents.test.ts': vitestTest,
  'e2e/agents.spec.ts': playwrightTest,
  'playwright.config.ts': playwrightConfig,
  'vitest.config.ts': `export default { test: { dir: 'unit' } };\n`,
  'assay.config.ts': `export default { test: { runs: 1, only: ['vpcs.*'] as string[] } };\n`,
  // Without the types of Node, which the mock's types do not need.
  'tsconfig.json': JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] }, files: ['use-types.ts'] }),
  'tsconfig.fixtures.json': JSON.stringify({
    compilerOptions: { ...compilerOptions, types: ['node'] },
    include: ['unit', 'e2e', 'playwright.config.ts', 'use-types.ts'],
  }),
};
