import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemaFindings } from '../../spec/validators.ts';
import { asciiText, readableText, trickyTexts } from './display-name.ts';
import { labels, nonString, nonObjects, nonStrings, trickyLabels } from './labels.ts';
import {
  nameEnding,
  nameEndings,
  nonStringOrNull,
  otherAscii,
  otherCharacter,
  otherCharacters,
} from './resource-name.ts';

const findings = (metadata: object) => schemaFindings('management', 'Metadata', { name: 'a', ...metadata });
const each = <Value>(values: fc.Arbitrary<Value>, check: (value: Value) => void) =>
  fc.assert(
    fc.property(values, (value) => {
      check(value);
    }),
  );

test('name endings are letters, digits and single hyphens, and include every letter and digit', () => {
  const form = /^[a-z0-9]+(-[a-z0-9]+)*$/;
  each(nameEnding, (ending) => expect(ending).toMatch(form));
  for (const ending of nameEndings) expect(ending).toMatch(form);
  expect(new Set(nameEndings.join('').replaceAll('-', ''))).toHaveLength(36);
});

test('invalid characters occur in no name', () => {
  const isOther = (character: string) => expect(findings({ name: `a${character}` })).not.toEqual([]);
  each(otherCharacter, isOther);
  const characters = [...otherAscii, ...Object.values(otherCharacters).flat()];
  for (const character of characters) isOther(character);
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  expect(characters).toEqual(expect.arrayContaining(ascii.filter((character) => !/[a-z0-9-]/.test(character))));
  expect(new Set(characters)).toHaveLength(characters.length);
});

test('names are never other types than strings', () => {
  each(nonStringOrNull, (name) => expect(findings({ name })).not.toEqual([]));
});

test('display names are within the limit and have no surrounding spaces', () => {
  each(readableText(63), (displayName) => {
    expect(findings({ displayName })).toEqual([]);
    expect(displayName).toBe(displayName.normalize('NFC').trim().replaceAll('  ', ' '));
    expect(Buffer.byteLength(displayName)).toBeLessThanOrEqual(63);
  });
  for (const displayName of trickyTexts) expect(findings({ displayName })).toEqual([]);
  each(asciiText(64, 70), (displayName) => expect(findings({ displayName })).not.toEqual([]));
});

test('labels match the schema, and invalid labels do not', () => {
  each(labels, (sent) => expect(findings({ labels: sent })).toEqual([]));
  for (const sent of trickyLabels) expect(findings({ labels: sent })).toEqual([]);
  each(nonString, (value) => expect(findings({ labels: { a: value } })).not.toEqual([]));
  for (const value of nonStrings) expect(findings({ labels: { a: value } })).not.toEqual([]);
  for (const sent of nonObjects) expect(findings({ labels: sent })).not.toEqual([]);
});
