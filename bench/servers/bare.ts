/** The baseline: bare node:http that reads the request and sends fixed bytes, with the headers that the mock sends. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEEP_ALIVE_TIMEOUT_MS } from '../../mock/http/keep-alive.ts';
import { readInput, report, SAMPLE_TOKENS } from '../served.ts';

const body = Buffer.from(readInput().body);
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };

const server = http.createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (req, res) => {
  req.resume();
  req.on('end', () => {
    res.writeHead(200, headers);
    res.end(body);
  });
});

server.listen(0, '127.0.0.1', () =>
  report({ port: (server.address() as AddressInfo).port, prefix: '/v0', tokens: SAMPLE_TOKENS }),
);
