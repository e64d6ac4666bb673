import { expect, test } from 'vitest';
import { requirePrismNode } from './prism-node.ts';
import { UsageError } from './usage-error.ts';

test.each(['22.19.0', '22.23.3', '23.11.1', '24.17.0'])('Node %s is too old for Prism', (version) => {
  expect(() => requirePrismNode('--oracle prism', version)).toThrow(UsageError);
  expect(() => requirePrismNode('--oracle prism', version)).toThrow(
    `--oracle prism needs Node 24.18 or newer, because Prism does; this is ${version}.`,
  );
});

test.each(['24.18.0', '24.21.0', '26.0.0'])('Node %s is new enough for Prism', (version) => {
  expect(() => requirePrismNode('--oracle prism', version)).not.toThrow();
});
