import path from 'node:path';
import { expect, test } from 'vitest';
import { targetText } from './target-text.ts';

const schema = 'node_modules/@svc/assay/dist/spec/formats/generated/target.json';
const yaml = '# A comment.\naddresses: # where\n  management: http://a/v0\n';

test.each([
  ['target.yaml', `./${schema}`],
  ['sub/dir/target.yml', `../../${schema}`],
  [path.resolve('sub/target.yaml'), `../${schema}`],
])('%s begins with the path of the schema, and keeps its comments', (file, expected) => {
  expect(targetText(yaml, file)).toBe(`# yaml-language-server: $schema=${expected}\n${yaml}`);
});

test('a .json file is JSON with $schema', () => {
  expect(JSON.parse(targetText(yaml, 'sub/target.JSON'))).toEqual({
    $schema: `../${schema}`,
    addresses: { management: 'http://a/v0' },
  });
});
