/** The processor time of requests, compared with other servers. */
import { compareServers, type Credential } from '../compare-servers.ts';
import { get, put, type RequestWithoutToken } from '../requests.ts';
import { twoDecimals, type Row } from '../row.ts';
import { stateFileCost } from '../state-file.ts';

export async function rows(): Promise<Row[]> {
  return [
    await requestRow('GET of a resource, API key', get, 'apiKey', 0.9),
    await requestRow('GET of a resource, JWT', get, 'jwt', 0.9),
    await requestRow('PUT, validated, stateful', put, 'apiKey', 0.8),
    await requestRow('PUT, over one connection', put, 'apiKey', 0.8, 1),
    await stateFileRow(),
  ];
}

/** `share`: the goal, as a share of what koa, @koa/router and ajv reach. */
async function requestRow(
  what: string,
  request: RequestWithoutToken,
  credential: Credential,
  share: number,
  connections?: number,
): Promise<Row> {
  const { bare, mock, koa, prism } = await compareServers(request, credential, connections);
  const cpu = `${mock.cpuMicroseconds.toFixed(0)} µs against ${bare.cpuMicroseconds.toFixed(0)} µs`;
  const peers = `${twoDecimals(mock.ofBare / koa.ofBare)} of koa, which has ${twoDecimals(koa.ofBare)}; Prism ${twoDecimals(prism.ofBare)}`;
  return { what, measured: `${twoDecimals(mock.ofBare)} of bare (${cpu}); ${peers}`, goal: `≥ ${share} of koa` };
}

async function stateFileRow(): Promise<Row> {
  const { withFile, without } = await stateFileCost({ ...put, path: `/v0${put.path}` });
  const measured = `${twoDecimals(withFile / without)}× (${withFile.toFixed(0)} µs against ${without.toFixed(0)} µs)`;
  return { what: 'PUT with --state', measured, goal: '≤ 2×' };
}
