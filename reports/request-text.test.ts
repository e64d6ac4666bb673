import { expect, test } from 'vitest';
import { requestText } from './request-text.ts';

test.each(['a', String.raw`\n`])('a string of megabytes of %j is shortened or truncated', (unit) => {
  const body = JSON.stringify({ first: 1 }).slice(0, -1) + `,"text":"${unit.repeat(6_000_000)}"}`;
  const text = requestText({ method: 'PUT', url: 'http://a/v0/agents/a', headers: {}, body });
  expect(text).toContain('"first":1');
  expect(text.length).toBeLessThan(10_000);
});
