import { expect, test } from 'vitest';
import { unexpectedReplies } from './postman-run.ts';

const judge = (replies: Readonly<Record<string, number | undefined>>): string[] => {
  const executions = Object.entries(replies).map(([name, code]) => ({
    item: { name },
    ...(code !== undefined && { response: { code } }),
  }));
  return unexpectedReplies(JSON.stringify({ run: { executions } }));
};

test('successes, requests after a deletion and what the page describes are expected', () => {
  expect(judge({ a: 200, b: 201, c: 302, d: 404, 'Watch a directory for modified files': undefined })).toEqual([]);
});

test('a refusal, a missing response and a collection that mostly fails are not', () => {
  expect(judge({ a: 200, b: 200, c: 400, d: undefined })).toEqual(['"c" returns 400.', '"d" returns nothing.']);
  expect(judge({ a: 200, b: 404, c: 404 })).toEqual(['Only 1 of 3 requests succeed.']);
  expect(judge({})).toEqual(['Only 0 of 0 requests succeed.']);
});
