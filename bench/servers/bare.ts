/** The baseline: bare node:http that reads the request and sends fixed bytes. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { report } from '../served.ts';

const body = Buffer.from(JSON.parse(process.argv[2] ?? '""') as string);

const server = http.createServer((req, res) => {
  req.resume();
  req.on('end', () => {
    res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
    res.end(body);
  });
});

server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port, token: 'none' }));
