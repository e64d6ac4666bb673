/** Rules for names, display names and labels. */
import type { Requirement } from './requirement.ts';
import { limits } from '../values.ts';

export const namingRequirements = [
  {
    id: 'naming.name.valid-accepted',
    level: 'must',
    rule: 'Every create operation accepts a name of 1 to 49 characters from a-z, 0-9 and hyphen that starts with a letter and has no trailing or double hyphen (a conflict with an existing name does not count as rejection).',
    sources: [{ heading: 'Metadata', words: 'Lowercase alphanumeric with hyphens, max 49 characters.' }],
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'naming.name.at-most-49',
    level: 'must',
    rule: 'A name of exactly 49 characters is accepted; a name of 50 or more characters is rejected.',
    sources: [{ heading: 'Limits', words: 'lowercase alphanumeric with hyphens, max 49 characters' }],
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
    values: { maxLength: limits.nameLength, tooLong: 50 },
  },
  {
    id: 'naming.name.other-characters-rejected',
    level: 'must',
    rule: 'A name with any other character (such as an uppercase letter, underscore, dot, space, slash, control character or non-ASCII character) is rejected.',
    sources: [{ heading: 'Metadata', words: 'Lowercase alphanumeric with hyphens' }],
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'naming.name.required',
    level: 'must',
    rule: 'Every create operation rejects a missing, empty or non-string name.',
    sources: [{ heading: 'Metadata', words: 'Required. Unique within the workspace.' }],
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'naming.display-name.up-to-63-accepted',
    level: 'must',
    rule: 'A displayName of up to 63 characters, including spaces and special characters, is accepted and, if the response includes it, returned unchanged.',
    sources: [
      { heading: 'Metadata', words: 'Human-readable, may contain spaces and special characters, max 63 characters.' },
    ],
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'],
    values: { maxLength: limits.displayNameLength },
  },
  {
    id: 'naming.display-name.over-63-rejected',
    level: 'must',
    rule: 'A displayName of 64 or more characters is rejected (only ASCII is tried at the boundary, because it is not documented how other characters are counted).',
    sources: [{ heading: 'Limits', words: 'max 63 characters' }],
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'],
    values: { tooLong: 64 },
  },
  {
    id: 'naming.labels.string-values',
    level: 'must',
    rule: 'An object with string values is accepted as labels and, if the response includes it, returned unchanged; a non-object or a non-string value is rejected (null is not tried).',
    sources: [{ heading: 'Metadata', words: 'Free key-value pairs for organizing and filtering.' }],
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'],
  },
  {
    id: 'naming.name.immutable',
    level: 'must',
    rule: 'The name cannot be changed: an update whose body has another name is rejected, or returns the name from the path.',
    sources: [{ heading: 'Metadata', words: 'Immutable after creation.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'naming.name.unique-in-workspace',
    level: 'must',
    rule: 'Two resources of a kind never have the same name in a workspace: creating a second one is rejected, or returns the first one (with the same createdAt, if the response includes it).',
    sources: [{ heading: 'Metadata', words: 'Unique within the workspace.' }],
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'naming.name.hyphens-digits-reserved',
    level: 'observe',
    rule: "Trailing or double hyphens, and digits after a hyphen (leading hyphens, leading digits and reserved words are not tried, because every name starts with the run's prefix).",
    sources: [{ heading: 'Metadata', words: 'Lowercase alphanumeric with hyphens' }],
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'naming.name.duplicate-status',
    level: 'observe',
    rule: 'Status of a duplicate create; how displayName counts non-ASCII characters.',
    sources: [
      {
        heading: 'Errors',
        words: 'Statuses and error bodies of the other management operations (rows 2 to 9): not shown.',
      },
    ],
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'],
  },
] as const satisfies readonly Requirement[];
