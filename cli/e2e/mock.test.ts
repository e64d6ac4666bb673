import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

test.each([
  [['--host', 'no-such-host.invalid', '--control-token', 'x'], /no-such-host\.invalid/],
  [['--control-token', ''], /Invalid value "" for --control-token: expected a non-empty string/],
  [
    ['--deviate', 'metrics.hourly-cap'],
    /Unknown deviation "metrics\.hourly-cap"\. Did you mean "metrics\.resolution\.hourly-cap" .*--list-deviations/,
  ],
  [['--deviate', 'x'], /Unknown deviation "x"\. See assay mock --list-deviations/],
])('assay mock %j is refused with a sentence', (flags, words) => {
  const command = [path.join(import.meta.dirname, '../assay.mjs'), 'mock', '--port', '0', ...flags];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(/^\s+at /m);
});
