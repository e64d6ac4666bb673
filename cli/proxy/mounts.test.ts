import { describe, expect, test } from 'vitest';
import type { Addresses } from './mounts.ts';
import { mountsByOrigin, operationAt } from './mounts.ts';

const mock: Addresses = {
  management: 'http://mock:1/v0',
  host: 'http://mock:1',
  inference: 'http://mock:1/',
  sandbox: 'http://sbx.local.localhost:1',
};
const byPath: Addresses = { ...mock, sandbox: 'http://mock:1/sandbox/demo/demo-box' };

describe('origins', () => {
  test('one for each address that differs in scheme, host or port', () => {
    expect([...mountsByOrigin(mock).keys()]).toEqual(['http://mock:1', 'http://sbx.local.localhost:1']);
    expect([...mountsByOrigin(byPath).keys()]).toEqual(['http://mock:1']);
    expect([...mountsByOrigin({ management: 'https://a/v0', inference: 'https://run.a:443' }).keys()]).toEqual([
      'https://a',
      'https://run.a',
    ]);
  });
});

const at = (addresses: Addresses, origin: string, method: string, url: string) => {
  const found = operationAt(mountsByOrigin(addresses).get(origin) ?? [], method, url);
  return found && [found.operation.id, found.path];
};

describe('the operation of a request', () => {
  test.each([
    ['PUT', '/v0/agents/a?x=1', ['updateAgent', '/agents/a?x=1']],
    ['POST', '/demo/agents/a', ['queryAgent', '/demo/agents/a']],
    ['POST', '/demo/jobs/j/executions', ['createJobExecution', '/demo/jobs/j/executions']],
    ['POST', '/oauth/token', ['requestToken', '/oauth/token']],
    ['GET', '/sandbox/demo/demo-box', ['getSandboxRoot', '/']],
    ['GET', '/sandbox/demo/demo-box?x=/y', ['getSandboxRoot', '/?x=/y']],
    ['GET', '/sandbox/demo/demo-box/filesystem/tree/a/b', ['readTree', '/filesystem/tree/a/b']],
    ['POST', '/v0/agents/a', undefined],
    ['GET', '/v0', undefined],
    ['GET', '/v01/accounts', undefined],
    ['OPTIONS', '*', undefined],
  ])('%s %s is %j', (method, url, found) => {
    expect(at(byPath, 'http://mock:1', method, url)).toEqual(found);
  });

  test('with its own host name begins at the root', () => {
    expect(at(mock, 'http://sbx.local.localhost:1', 'GET', '/')).toEqual(['getSandboxRoot', '/']);
    expect(at(mock, 'http://sbx.local.localhost:1', 'GET', '/v0/accounts')).toBeUndefined();
  });
});

test.each(['/v0/agents/..', '/v0/agents/%2e%2E', '/v0/./agents/a', '/v0/agents/.%2e/a'])(
  'nobody can tell which operation %s is for',
  (url) => {
    const mounts = [{ surface: 'management', base: '/v0' }] as const;
    expect(operationAt(mounts, 'PUT', url)).toBeUndefined();
    expect(operationAt(mounts, 'PUT', '/v0/agents/...?a=..')?.operation.id).toBe('updateAgent');
  },
);
