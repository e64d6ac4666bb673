/** Rules of names, display names and labels. */
import type { Requirement } from './requirement.ts';
import { limits } from '../values.ts';

export const namingRequirements = [
  {
    id: 'naming.name.valid-accepted',
    level: 'must',
    rule: 'A name of 1 to 49 characters out of a-z, 0-9 and hyphen (letter first, no hyphen last, none doubled) is accepted by every create operation; a conflict with an existing name is no refusal of the form.',
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
    values: { minLength: 1, maxLength: limits.nameLength },
  },
  {
    id: 'naming.name.at-most-49',
    level: 'must',
    rule: 'A name of exactly 49 characters is accepted; one of 50 or more is rejected.',
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
    values: { maxLength: limits.nameLength, tooLong: 50 },
  },
  {
    id: 'naming.name.other-characters-rejected',
    level: 'must',
    rule: 'A name with any other character (upper-case letter, underscore, dot, space, slash, control, non-ASCII and so on) is rejected.',
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'naming.name.required',
    level: 'must',
    rule: 'A missing, empty or non-string name is rejected by every create operation.',
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'naming.display-name.up-to-63-accepted',
    level: 'must',
    rule: 'A displayName of up to 63 characters, spaces and special characters included, is accepted, and returned unchanged where the answer shows it.',
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'],
    values: { maxLength: limits.displayNameLength },
  },
  {
    id: 'naming.display-name.over-63-rejected',
    level: 'must',
    rule: 'A displayName of 64 or more characters is rejected (generate ASCII at the boundary: how other characters are counted is not shown).',
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'],
    values: { maxLength: limits.displayNameLength, tooLong: 64 },
  },
  {
    id: 'naming.labels.string-values',
    level: 'must',
    rule: 'labels is an object with string values: accepted, and returned unchanged where the answer shows it; a non-object or a non-string value is rejected (null is not tried).',
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'],
  },
  {
    id: 'naming.name.immutable',
    level: 'must',
    rule: 'The name cannot be changed: an update whose body names another one is refused, or answered with the name of the path.',
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'naming.name.unique-in-workspace',
    level: 'must',
    rule: 'Two resources of one kind never share a name in a workspace: a second create of the same name is refused, or answered with the first one (same createdAt, where the answer shows it).',
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'naming.name.hyphens-digits-reserved',
    level: 'observe',
    rule: "Trailing or doubled hyphen, digits behind a hyphen (a leading hyphen, a digit first and reserved words cannot carry the run's prefix).",
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'naming.name.duplicate-status',
    level: 'observe',
    rule: 'Status of a duplicate create; how displayName counts characters outside ASCII.',
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'],
  },
] as const satisfies readonly Requirement[];
