/** For tests: the mock behind a door that adds the secrets of its target file to every response, in every encoding. */
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock } from '../../../mock/start-mock.ts';
import type { TargetFile } from '../../../spec/formats/target-file.ts';
import { formEncode } from '../../../suites/target/target.ts';
import { createLeaks, marker } from './leaks.ts';
import type { Leaks } from './leaks.ts';

/** Of the client `client`. With characters that each encoding escapes. */
const CLIENT_SECRET = `s3+cr/et "k&y" <7>='x' ~é`;
/** Of the client of `member`, whose tokens do not say when they expire. */
const MEMBER_SECRET = `m3mb+er/of "c&c" <9>='y' ~ü`;
const MAIL_SECRET = 'm4il+sec/ret&of=the~mail "<box>"';
/** The client that the mock has. */
const [ID, OWN_SECRET] = ['demo-client', 'demo-secret'];

export interface LeakingTarget extends AsyncDisposable {
  readonly target: TargetFile;
  /** Every secret. Those that the target issues are added. */
  readonly secrets: readonly string[];
  readonly sent: Leaks['sent'];
  /** Before another process: it cannot know what an earlier one was issued. */
  forgetIssued(): void;
  /** Calls back before the nth of the following requests that write is sent on. */
  onWrite(nth: number, call: () => void): void;
  /** Whether an encoding of a secret is in a text, even if it is redacted. */
  isMentioned(text: string, encoding: string): boolean;
}

const basic = (secret: string): string =>
  Buffer.from([ID, secret].map((part) => formEncode(part)).join(':')).toString('base64');

/** The mock knows neither secret of the target file. */
const withOwnSecret = (text: string): string =>
  text
    .replaceAll(basic(CLIENT_SECRET), basic(OWN_SECRET))
    .replaceAll(basic(MEMBER_SECRET), basic(OWN_SECRET))
    .replaceAll(formEncode(CLIENT_SECRET), OWN_SECRET);

export async function startLeakingTarget(): Promise<LeakingTarget> {
  const mock = await startMock({ sandboxUrls: 'path' });
  const inside = mock.addresses.host;
  const secrets = [CLIENT_SECRET, MEMBER_SECRET, MAIL_SECRET];
  for (const source of [mock.target.credentials?.admin, mock.target.credentials?.apiKey])
    if (source !== undefined && 'value' in source) secrets.push(source.value);
  const leaks = createLeaks(secrets, ID);
  let writesLeft = Infinity;
  let onNthWrite = (): void => {};
  const door = http.createServer((request, response) => {
    if (/^(?:PUT|POST|DELETE)$/.test(request.method ?? '') && (writesLeft -= 1) === 0) onNthWrite();
    void passOn(request, response, inside, leaks);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const outside = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  return {
    target: leakingFile(JSON.parse(JSON.stringify(mock.target).replaceAll(inside, outside)) as TargetFile, outside),
    secrets,
    sent: leaks.sent,
    forgetIssued: () => leaks.forgetIssued(),
    onWrite(nth, call) {
      [writesLeft, onNthWrite] = [nth, call];
    },
    isMentioned: (text, encoding) => text.includes(marker(encoding)),
    async [Symbol.asyncDispose]() {
      door.closeAllConnections();
      await new Promise<void>((resolve) => door.close(() => resolve()));
      await mock.close();
    },
  };
}

/** Without the account, so that it is looked up. */
function leakingFile({ account: _, ...file }: TargetFile, address: string): TargetFile {
  const id = { value: ID };
  const member = { tokenUrl: `${address}/oauth/token`, id, secret: { value: MEMBER_SECRET } };
  return {
    ...file,
    credentials: { ...file.credentials, member: { clientCredentials: member } },
    client: { ...file.client, id, secret: { value: CLIENT_SECRET } },
    samples: { ...file.samples, connectionSecrets: { 'google-mail': { CLIENT_SECRET: { value: MAIL_SECRET } } } },
  };
}

async function passOn(request: IncomingMessage, response: ServerResponse, to: string, leaks: Leaks): Promise<void> {
  const body = Buffer.concat((await request.toArray()) as Buffer[]);
  const { host: _, 'content-length': __, authorization, ...others } = request.headers;
  const isMember = authorization?.includes(basic(MEMBER_SECRET)) === true;
  const isForm = /form/.test(others['content-type'] ?? '');
  const onwardBody = isForm ? Buffer.from(withOwnSecret(body.toString())) : body;
  const { hostname, port } = new URL(to);
  const onward = http.request({
    hostname,
    port,
    path: withOwnCursor(request.url ?? '/', leaks),
    method: request.method,
    headers: {
      ...others,
      ...(authorization !== undefined && { authorization: withOwnSecret(authorization) }),
      ...(onwardBody.length > 0 && { 'content-length': onwardBody.length }),
    },
  });
  onward.on('error', () => response.destroy());
  onward.on('response', (answer) => void addLeaks(answer, request, response, { leaks, isMember }));
  onward.end(onwardBody);
}

function withOwnCursor(url: string, leaks: Leaks): string {
  const cursor = new URL(url, 'http://a').searchParams.get('cursor');
  const own = cursor === null ? undefined : leaks.ownCursor(cursor);
  return own === undefined ? url : url.replace(/([?&]cursor=)[^&]*/, `$1${encodeURIComponent(own)}`);
}

async function addLeaks(
  answer: IncomingMessage,
  { url = '/', method }: IncomingMessage,
  response: ServerResponse,
  { leaks, isMember }: { leaks: Leaks; isMember: boolean },
): Promise<void> {
  const { 'content-length': _, ...received } = answer.headers;
  const headers = { ...received, ...leaks.headers() };
  const status = answer.statusCode ?? 0;
  if (url.includes('watch')) {
    response.writeHead(status, headers).flushHeaders(); // a stream may begin with silence
    answer.pipe(response).on('close', () => answer.destroy());
    return;
  }
  const text = Buffer.concat((await answer.toArray()) as Buffer[]).toString();
  const isEmpty = status === 204 || status === 304 || method === 'HEAD';
  const changed = leaks.body(isMember ? text.replace(/"expires_in":\d+,?/, '') : text, url.split('?', 1)[0] ?? '');
  response.writeHead(status, isEmpty ? headers : { ...headers, 'content-length': Buffer.byteLength(changed) });
  response.end(isEmpty ? undefined : changed);
}
