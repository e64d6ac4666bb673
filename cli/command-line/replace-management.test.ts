import { expect, test } from 'vitest';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { replaceManagement } from './replace-management.ts';

const OLD = 'https://old.example/v0';
const NEW = 'https://new.example/v0';

const replaced = (file: Partial<TargetFile>, addresses: Partial<TargetFile['addresses']> = {}) =>
  replaceManagement({ ...file, addresses: { management: OLD, ...addresses } }, NEW);

const [id, secret] = [{ value: 'id' }, { value: 'secret' }];
const fetchedFrom = (tokenUrl: string) => ({ clientCredentials: { tokenUrl, id, secret } });

test('the management address is replaced, and everything else stays', () => {
  const file = { workspace: 'demo', client: { id, secret, tokenUrl: 'https://login.example/token' } };
  expect(replaced(file)).toEqual({ ...file, addresses: { management: NEW } });
});

test('addresses of the new deployment stay', () => {
  const host = 'https://new.example/host';
  const client = { id, secret, tokenUrl: 'https://new.example/oauth/token' };
  expect(replaced({ client }, { host })).toEqual({ client, addresses: { management: NEW, host } });
});

test('only another path: addresses of the same origin stay', () => {
  const file = { client: { id, secret, tokenUrl: 'https://new.example/oauth/token' } };
  const management = 'https://new.example/other/v0';
  expect(replaced(file, { management }).addresses.management).toBe(NEW);
});

test.each<[string, Partial<TargetFile>, Partial<TargetFile['addresses']>?]>([
  ['addresses.host', {}, { host: 'https://old.example' }],
  ['addresses.inference', {}, { inference: 'https://run.example' }],
  ['standsFor', { standsFor: OLD }],
  ['client.tokenUrl', { client: { id, secret, tokenUrl: 'https://old.example/oauth/token' } }],
  ['client.authorizationUrl', { client: { id, secret, authorizationUrl: 'https://old.example/oauth/authorize' } }],
  [
    'credentials.admin.clientCredentials.tokenUrl',
    { credentials: { admin: fetchedFrom('https://old.example/oauth/token') } },
  ],
  [
    'credentials.scoped.agents:update.clientCredentials.tokenUrl',
    { credentials: { scoped: { 'agents:update': fetchedFrom('https://old.example/oauth/token') } } },
  ],
])('%s of the other deployment is refused', (key, file, addresses = {}) => {
  const replace = () => replaced(file, addresses);
  expect(replace).toThrow(`--base-url ${NEW}: ${key} of the target file is https://`);
  expect(replace).toThrow(`Remove ${key} from the file`);
});

test('an invalid URL is refused', () => {
  expect(() => replaceManagement({ addresses: { management: OLD } }, 'new.example')).toThrow(
    '--base-url: addresses.management: "new.example" is not a URL that begins with http:// or https://.',
  );
});
