/** What init, doctor and a run say about the account of one server. */
import { expect, test } from 'vitest';
import { localServer, type LocalResponse } from '../../suites/testing/local-server.ts';
import { onlyThese, run, targetFile } from './testing/assay-process.ts';

const BEARER = 'Bearer marked-admin';
const NOT_FOUND: LocalResponse = { status: 404 };
const FIRST = /answer GET \/accounts first\./;

interface Row {
  readonly server: string;
  /** Responds to requests with the credential; others get 401. */
  readonly respond: (url: string) => LocalResponse;
  /** Of the target file. */
  readonly account?: string;
  readonly expected: Readonly<Record<'init' | 'doctor' | 'test', RegExp>>;
}

test.each<Row>([
  {
    server: 'has no operation',
    respond: () => NOT_FOUND,
    expected: { init: FIRST, doctor: FIRST, test: FIRST },
  },
  {
    server: 'has no operation, with an account in the target file',
    respond: () => NOT_FOUND,
    account: 'own',
    expected: { init: FIRST, doctor: FIRST, test: FIRST },
  },
  {
    server: 'has no list of accounts, with an account in the target file',
    respond: (url) => (url === '/v0/accounts' ? NOT_FOUND : { body: {} }),
    account: 'own',
    expected: { init: FIRST, doctor: FIRST, test: FIRST },
  },
  {
    server: 'lists an account whose metrics are missing',
    respond: (url) => (url === '/v0/accounts' ? { body: [{ id: 'own' }] } : NOT_FOUND),
    expected: { init: /account own,/, doctor: /^passed +account +own,/m, test: /\/v0\/accounts\/own\/metrics\?/ },
  },
])('of a server that $server', async ({ respond, account, expected }) => {
  await using server = await localServer(({ url, headers }) => {
    const isKnown = [headers.authorization, headers['x-svc-authorization']].includes(BEARER);
    return isKnown ? respond(url) : { status: 401, body: { error: 'unauthorized', code: 401 } };
  });
  const management = `${server.address}/v0`;
  const env = { SVC_ADMIN_TOKEN: 'marked-admin', ...(account && { SVC_ACCOUNT: account }) };
  const credentials = { admin: { env: 'SVC_ADMIN_TOKEN' } };
  const file = targetFile({ addresses: { management }, credentials, ...(account && { account }) });
  const rules = onlyThese('auth.management.credential-required', 'metrics.answer.shape-and-echo');
  const [init, doctor, tested] = await Promise.all([
    run(['init', '--base-url', management], { env }),
    run(['doctor', '--target', file], { env }),
    run(['test', '--target', file, '--quick', ...rules], { env }),
  ]);
  expect(init.out).toMatch(expected.init);
  expect(doctor.out).toMatch(expected.doctor);
  expect(tested.out).toMatch(expected.test);
});
