import { expect, test } from 'vitest';
import { documentOf } from './documents.ts';
import { resolve } from './openapi-document.ts';
import type { OpenApiParameter } from './openapi-document.ts';
import { earliestStable, earliestStableOf, versions } from './versions.ts';

test('2026-04-16 is the first version, stable, and the default', () => {
  expect(versions[0]).toEqual({ version: '2026-04-16', stage: 'stable' });
  expect(earliestStable).toBe('2026-04-16');
});

test('the earliest stable version has the smallest date, ignoring previews', () => {
  const list = ['2027-01-01', '2026-12-31'].map((version) => ({ version, stage: 'stable' as const }));
  expect(earliestStableOf([{ version: '2026-01-01.preview', stage: 'preview' }, ...list])).toBe('2026-12-31');
});

test('the version header of the document accepts every version and defaults to the earliest stable one', () => {
  const header = resolve<OpenApiParameter>(documentOf('management'), { $ref: '#/components/parameters/VersionHeader' });
  expect(header.schema.default).toBe(earliestStable);
  for (const { version } of versions) {
    expect(version).toMatch(new RegExp(header.schema.pattern ?? '^$'));
    expect(header.description).toContain(version);
  }
});
