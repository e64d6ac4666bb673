import { expect, test } from 'vitest';
import { unexpectedReplies } from './postman-run.ts';

const judge = (surface: string, replies: Readonly<Record<string, number | undefined>>): string[] => {
  const executions = Object.entries(replies).map(([name, code]) => ({
    item: { name },
    ...(code !== undefined && { response: { code } }),
  }));
  return unexpectedReplies(surface, JSON.stringify({ run: { executions } }));
};

test('successes, requests after a deletion and what the page describes are expected', () => {
  expect(
    judge('sandbox', { a: 200, b: 201, c: 302, d: 404, 'Watch a directory for modified files': undefined }),
  ).toEqual([]);
  expect(judge('control', { a: 200, b: 400 })).toEqual([]);
});

test('a refusal, a missing response and a collection that mostly fails are not', () => {
  expect(judge('management', { a: 200, b: 200, c: 400, d: undefined })).toEqual([
    '"c" returns 400.',
    '"d" returns nothing.',
  ]);
  expect(judge('management', { a: 200, b: 404, c: 404 })).toEqual(['Only 1 of 3 requests succeed.']);
  expect(judge('management', {})).toEqual(['Only 0 of 0 requests succeed.']);
});
