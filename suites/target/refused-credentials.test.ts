import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { localServer } from '../testing/local-server.ts';
import { openTarget } from './open-target.ts';

async function warningsOf(file: TargetFile): Promise<string[]> {
  const warnings: string[] = [];
  await openTarget(file, {}, { warn: (sentence) => void warnings.push(sentence), checksCredentials: true });
  return warnings;
}

const wrong = { value: 'no.such.token' };

test('nothing is reported of valid credentials, one request each is sent', async () => {
  await using mock = await startMock({});
  expect(await warningsOf(mock.target)).toEqual([]);
  const { scoped = {}, ...named } = mock.target.credentials ?? {};
  const credentialCount = Object.keys(scoped).length + Object.keys(named).length;
  const requests = await mock.requests({});
  expect(requests.filter(({ path }) => path === '/v0/accounts')).toHaveLength(credentialCount);
  expect(requests.filter(({ method, path }) => method !== 'GET' && path !== '/oauth/token')).toEqual([]);
});

test('each wrong credential is reported with its key and its variable', async () => {
  await using mock = await startMock({});
  const { credentials } = mock.target;
  const scoped = { ...credentials?.scoped, 'agents:update': wrong };
  const file = { ...mock.target, credentials: { ...credentials, admin: wrong, member: { env: 'TOKEN' }, scoped } };
  const warnings: string[] = [];
  await openTarget(
    file,
    { TOKEN: 'another.wrong.token' },
    { warn: (sentence) => void warnings.push(sentence), checksCredentials: true },
  );
  expect(warnings).toEqual([
    expect.stringMatching(/^credentials\.admin is refused: GET \/accounts returned 401\. .* SVC_ADMIN_TOKEN,/),
    expect.stringMatching(/^credentials\.member is refused: .* TOKEN,/),
    expect.stringMatching(/^credentials\.scoped\.agents:update is refused: .* SVC_AGENTS_UPDATE_TOKEN,/),
  ]);
  expect(warnings.join()).not.toContain('wrong.token');
});

test('an expired token that is accepted', async () => {
  await using mock = await startMock({});
  const { admin } = mock.target.credentials ?? {};
  if (admin === undefined || !('value' in admin)) throw new Error('The credential has no value.');
  const file = { ...mock.target, credentials: { ...mock.target.credentials, expired: admin } };
  expect(await warningsOf(file)).toEqual([
    'credentials.expired is accepted: GET /accounts returned 200. Set SVC_EXPIRED_TOKEN to a token whose lifetime is over, or omit the credential.',
  ]);
});

test('403 and missing responses say nothing about a credential', async () => {
  await using server = await localServer(({ headers }) => {
    if (headers.authorization === 'Bearer limited') return { status: 403 };
    return headers.authorization === 'Bearer broken' ? 'break' : { body: [] };
  });
  const credentials = { admin: { value: 'full' }, unrelated: { value: 'limited' }, member: { value: 'broken' } };
  expect(await warningsOf({ addresses: { management: server.address }, account: 'a', credentials })).toEqual([]);
});
