import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonBodies, garbageBodies, garbageBody, garbageSegment, oddMediaTypes, oddPaths } from './garbage.ts';

function metadataIn(body: string | Uint8Array): unknown {
  try {
    return (JSON.parse(Buffer.from(body).toString()) as { metadata?: unknown } | null)?.metadata;
  } catch {
    return undefined;
  }
}

test('no body is valid for an operation that creates a resource', () => {
  for (const { body } of [...garbageBodies, ...commonBodies, ...oddMediaTypes, ...fc.sample(garbageBody, 500)]) {
    expect(metadataIn(body)).toBeUndefined();
  }
});

test('paths can be sent unchanged, and a generated segment is a single segment', () => {
  for (const path of oddPaths) expect(path).toMatch(/^\/[\u0021-\u007e]*$/);
  for (const segment of fc.sample(garbageSegment, 500)) expect(segment).toMatch(/^(?!\.{1,2}$)[^/?#\s]+$/);
});
