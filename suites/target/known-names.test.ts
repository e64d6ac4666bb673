import { expect, test } from 'vitest';
import { operations } from '../../spec/operations.ts';
import { knownNames } from './known-names.ts';

/** Parameters without a value in a target file, and the source of their values. */
const others: Readonly<Record<string, string>> = {
  path: 'files have no name in a target file',
  previewName: 'listed in a target file with its tokens, or created by the run',
  tokenName: 'created by the run',
  volumeTemplateName: 'listed in a target file with its versions, or created by the run',
  versionName: 'created by the run',
};

test('every documented path parameter has a known name or another source', () => {
  const documented = operations.filter((each) => each.documented).flatMap(({ pathParameters }) => pathParameters);
  const names = new Set(documented.map(({ name }) => name));
  const known = Object.keys(knownNames({ resources: {} }));
  expect([...names].filter((name) => !known.includes(name)).sort()).toEqual(Object.keys(others).sort());
});
