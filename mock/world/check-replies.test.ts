import { expect, test } from 'vitest';
import { completeWorld } from '../../fixtures/worlds/named-worlds.ts';
import type { ReplyFile } from '../../spec/formats/world-file.ts';
import { worldFile } from './check-world-file.ts';
import { checkReplies } from './check-replies.ts';
import { scriptedWorld } from '../testing/scripted-world.ts';

test('a file with every kind of reply is accepted', () => {
  const file = scriptedWorld(
    [
      { reply: 'a', delayMs: 5, paceMs: 1 },
      {
        workload: 'models/m',
        workspace: 'demo',
        pattern: '^a+$',
        times: 2,
        error: { status: 503, retryAfterSeconds: 1 },
      },
      { workload: 'agents/a', body: { any: ['thing'] } },
      { delayMs: 1000 },
    ],
    { callbackOrigins: ['https://hooks.shop.example', 'http://10.0.0.7:8080'] },
  );
  expect(() => checkReplies(completeWorld(worldFile(file, 'x.yaml'), 1, 0))).not.toThrow();
});

test.each<[object, string]>([
  [{ workload: 'functions/f' }, 'agents/<name> or models/<name>'],
  [{ replay: 'a' }, 'Unknown key "replay"'],
  [{ error: { status: 200 } }, 'replies[0].error.status'],
  [{ times: 0 }, 'replies[0].times'],
  [{ delayMs: -1 }, 'replies[0].delayMs'],
])('%j is rejected', (reply, says) => {
  expect(() => worldFile(scriptedWorld([reply as ReplyFile]), 'x.yaml')).toThrow(says);
});

test.each<[ReplyFile, string]>([
  [{ reply: 'a', body: {} }, 'replies[0] has reply and body; allowed: one of them.'],
  [{ pattern: '(' }, 'replies[0].pattern is "(", which is not a regular expression'],
  [{ workspace: 'nowhere' }, 'replies[0].workspace is "nowhere"; allowed: demo, '],
])('%j is rejected when the world is created', (reply, says) => {
  expect(() => checkReplies(scriptedWorld([reply]))).toThrow(says);
});

test.each(['hooks.shop.example', 'https://hooks.shop.example/', 'ftp://hooks.shop.example', 'https://a/b'])(
  '%s is not an origin',
  (origin) => {
    expect(() => checkReplies(scriptedWorld([], { callbackOrigins: [origin] }))).toThrow(origin);
  },
);
