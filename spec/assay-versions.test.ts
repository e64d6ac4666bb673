import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { assayVersions, isNewer } from './assay-versions.ts';
import { requirements } from './requirements/index.ts';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');
const { version: packageVersion } = JSON.parse(read('package.json')) as { version: string };
const changelog = read('CHANGELOG.md');

test.each([
  ['0.2.0', '0.1.0', true],
  ['0.1.1', '0.1.0', true],
  ['0.10.0', '0.9.9', true],
  ['1.0.0', '0.99.0', true],
  ['0.1.0', '0.1.0', false],
  ['0.9.9', '0.10.0', false],
])('whether %s is newer than %s: %s', (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});

test('the versions ascend, and end with that of the package', () => {
  expect(assayVersions.slice(1).every((version, index) => isNewer(version, assayVersions[index] as string))).toBe(true);
  expect(assayVersions.at(-1)).toBe(packageVersion);
});

/** Until a version is released, its section is called Unreleased. */
function sectionOf(version: string): string {
  const isUnreleased = version === packageVersion && !changelog.includes(`\n## [${version}]`);
  const named = isUnreleased ? 'Unreleased' : version;
  const [, section = ''] = changelog.split(`\n## [${named}]`);
  return section.split('\n## [', 1)[0] as string;
}

function partOf(section: string, heading: string): string {
  const [, part] = section.split(`\n### ${heading}\n`);
  expect(part, `the section "${heading}"`).toBeDefined();
  return (part as string).split('\n### ', 1)[0] as string;
}

test.each(assayVersions)('CHANGELOG.md lists the new and the stricter rules of %s', (version) => {
  const ids = requirements.filter(({ since }) => since === version).map(({ id }) => id as string);
  const section = sectionOf(version);
  const parts = ['New rules', 'Stricter rules'].map((heading) => partOf(section, heading));
  if (section.includes('All rules of the catalogue')) return;
  const listed = parts.flatMap((part) =>
    [...part.matchAll(/`([a-z0-9-]+(?:\.[a-z0-9-]+){2})`/g)].map(([, id = '']) => id),
  );
  expect(listed.toSorted()).toEqual(ids.toSorted());
});
