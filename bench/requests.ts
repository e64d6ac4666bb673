/** The requests of the benchmarks, on the default world. */
import type { Request, RequestSource } from './load.ts';

/** Without a credential. The path is below the prefix of the server. */
export type RequestWithoutToken = Omit<Request, 'token'>;

const agentPath = '/agents/demo-agent';

export const get: RequestWithoutToken = { method: 'GET', path: agentPath };

export const put: RequestWithoutToken = {
  method: 'PUT',
  path: agentPath,
  body: JSON.stringify({
    metadata: { name: 'demo-agent', displayName: 'Demo agent', labels: { team: 'demo' } },
    spec: {
      runtime: {
        generation: 'mk2',
        memory: 2048,
        minScale: 0,
        maxScale: 3,
        envs: [{ name: 'GREETING', value: 'hello' }],
      },
      triggers: [{ id: 'http', type: 'http', configuration: { path: '/ask' } }],
    },
  }),
};

const WEEK = 'startTime=2026-11-01T00:00:00Z&endTime=2026-11-08T00:00:00Z';
const invalidBody = JSON.stringify({ metadata: { name: 'demo-agent' }, spec: { runtime: { memory: '2 GB' } } });

/** Requests between the creation and the deletion of a policy: a multiple of the number of requests that are sent in turn. */
const REQUESTS_UNTIL_DELETION = 2000;

function create(nth: number): RequestWithoutToken {
  const body = JSON.stringify({ metadata: { name: `mixed-${nth}` }, spec: { type: 'location', locations: ['local'] } });
  return { method: 'POST', path: '/policies', body };
}

/** The policy of the request before this one in an earlier turn. */
function remove(nth: number): RequestWithoutToken {
  const created = nth - 1 - REQUESTS_UNTIL_DELETION;
  return created < 0 ? get : { method: 'DELETE', path: `/policies/mixed-${created}` };
}

/** Requests of different kinds, in turn: also creates, deletions, and some that are refused. */
export const mixed: readonly RequestSource<RequestWithoutToken>[] = [
  get,
  get,
  put,
  { ...get, path: '/agents' },
  { ...get, path: '/volumes' },
  { ...get, path: `/accounts/acc-demo/metrics?${WEEK}&groupBy=workspace` },
  { ...get, path: '/agents/missing', status: 404 },
  { ...put, body: invalidBody, status: 400 },
  create,
  remove,
];
