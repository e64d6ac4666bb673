import { expect, test } from 'vitest';
import { repeatFlags } from './repeat-flags.ts';

test('flags are written as they were given, without addresses and secrets such as --upstream', () => {
  const options = {
    port: 4010,
    host: '0.0.0.0',
    controlToken: 'secret',
    controlOrigin: ['http://localhost:1'],
    upstream: 'https://a.example/token',
    world: 'my world.yaml',
    now: Date.parse('2026-11-01T00:00:00Z'),
    latency: { min: 5, max: 9 },
    sandboxUrls: 'path',
    onlyDocumented: true,
    deviate: ['a.b.c', 'd.e.f'],
    quiet: true,
  };
  expect(repeatFlags(options)).toEqual(
    [
      ['--world', 'my world.yaml'],
      ['--now', '2026-11-01T00:00:00.000Z'],
      ['--latency', '5-9'],
      ['--sandbox-urls', 'path'],
      ['--only-documented'],
      ['--deviate', 'a.b.c'],
      ['--deviate', 'd.e.f'],
    ].flat(),
  );
  expect(repeatFlags({})).toEqual([]);
});

test('with a state file, flags that it replaces are omitted', () => {
  const now = Date.parse('2026-11-01T00:00:00Z');
  expect(repeatFlags({ world: 'large', state: 'new.db', seed: 7, now, clock: 'frozen' })).toEqual([
    '--state',
    'new.db',
    '--clock',
    'frozen',
  ]);
});
