/**
 * `npm run chat-clients`: lets clients of chat models, which it installs in a temporary folder, get structured output and
 * forced calls from the mock, which must be valid for the schema of the client. Takes minutes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startMock } from '../../mock/start-mock.ts';
import { devCommand } from './dev-command.ts';
import { installPackages } from './install-packages.ts';

devCommand('chat-clients', 'uses published clients of chat models on the mock; takes minutes').parse();

const dependencies = {
  '@ai-sdk/openai': '4.0.118',
  '@langchain/core': '1.4.0',
  '@langchain/openai': '1.6.0',
  '@mastra/core': '1.71.0',
  ai: '7.0.173',
  openai: '7.59.0',
  zod: '4.6.7',
};

using folder = installPackages('chat-clients', dependencies);
await using mock = await startMock();
const { target, addresses } = mock;
const baseUrl = `${addresses.inference}/${target.workspace}/models/demo-model/v1`;
for (const client of ['openai', 'ai', 'langchain', 'mastra']) {
  const words = ['use.mjs', client, baseUrl, target.credentials.apiKey.value];
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  const child = spawn(process.execPath, words, { cwd: folder.path, env, stdio: 'inherit' });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) process.exitCode = 1;
}
