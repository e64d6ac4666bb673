import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lintDocument } from './lint-document.ts';
import { withoutMergeTags } from './merge-keys.ts';
import { mergedDataOf } from './parse.ts';
import { readDocument } from './read-source.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-merge-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the rules that have findings in this file. */
async function rulesFor(name: string, text: string): Promise<string[]> {
  writeFileSync(path.join(folder, name), text);
  const { findings } = await lintDocument(await readDocument(path.join(folder, name)));
  return findings.map(({ rule }) => rule);
}

const vpc = (more: string): string => `openapi: 3.1.0
info: { title: A, version: '1' }
paths: {}
x-shared: &shared { description: A name. Unique and immutable., type: integer, maxLength: 63 }
x-other: &other { type: string, maxLength: 40, pattern: '^[a-z0-9-]+$' }
components:
  schemas:
    Vpc:
      description: A VPC.
      required: [metadata, spec]
      properties:
        spec: { type: object, x-not-shown: true }
        metadata:
          required: [name]
          properties:
            name:
${more}
`;
const own = '              maxLength: 49\n              type: string\n              pattern: "^[a-z0-9-]+$"\n';

const referring = `openapi: 3.1.0
info: { title: A, version: '1' }
paths: {}
components: { schemas: { Vpc: { $ref: 'merge.yaml#/components/schemas/Vpc' } } }
`;

test.each([
  ['a key before the merge key', `${own}              <<: *shared`, []],
  ['a key after the merge key', `              <<: *shared\n${own}`, []],
  ['a merge key with its tag', `${own}              !!merge <<: *shared`, []],
  ['a merge key with its whole tag', `${own}              !<tag:yaml.org,2002:merge> <<: *shared`, []],
  ['a tagged merge key after a question mark', `${own}              ? !!merge <<\n              : *shared`, []],
  ['several maps, of which the first wins', '              maxLength: 49\n              <<: [*other, *shared]', []],
  ['no key of its own', '              pattern: "^[a-z0-9-]+$"\n              <<: *shared', ['name-length']],
])('YAML merge keys, also in a file that is referred to: %s', async (_what, more, rules) => {
  expect(await rulesFor('merge.yaml', vpc(more))).toEqual(rules);
  expect(await rulesFor('to-merge.yaml', referring)).toEqual(rules);
});

test('what is not a merge key keeps its tag, and nothing moves', () => {
  expect(withoutMergeTags('a: !!merge <<\n  !!merge <<: *a\n')).toBe('a: !!merge <<\n  <<        : *a\n');
});

test.each([
  'a: "text with !!merge << : in it"',
  "a: 'two lines\n  !!merge <<: *b'",
  'a: |\n  !!merge <<: *b\n  ? !!merge <<\nb: 1',
  'with !!merge <<: a key',
  'a: text with !!merge <<:in it',
  'a: { with !!merge <<: 1 }',
  'a: b # !!merge <<: c',
])('a text keeps the words of a merge key: %j', (text) => {
  expect(withoutMergeTags(text)).toBe(text);
  const [tagged, untagged] = ['x:\n  !!merge <<: *y\n', 'x:\n  <<        : *y\n'];
  expect(withoutMergeTags(`${tagged}${text}\n${tagged}`)).toBe(`${untagged}${text}\n${untagged}`);
});

test('what aliases refer to is one object, however often they multiply it', () => {
  const levels = Array.from(
    { length: 5 },
    (_, nth) => `l${nth + 1}: &l${nth + 1} [*l${nth}, *l${nth}, *l${nth}, *l${nth}]`,
  );
  const text = ['l0: &l0 { a: 1 }', ...levels, 'late:', '  a: 2', '  <<: *l0'].join('\n');
  const data = mergedDataOf(text) as Record<string, unknown[]>;
  expect(data['late']).toEqual({ a: 2 });
  expect(data['l1']?.[0] === data['l0']).toBe(true);
  expect(data['l5']?.[0] === data['l5']?.[3]).toBe(true);
});
