/** Rules for the version header. */
import type { Requirement } from './requirement.ts';

export const versionsRequirements = [
  {
    id: 'versions.default.absent-header-means-earliest-stable',
    level: 'must',
    rule: 'Without the version header, a management request returns the same status and shape as with the earliest stable version (2026-04-16).',
    sources: [{ heading: 'Versioning', words: 'When the header is absent, the earliest stable version applies.' }],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'versions.listed.accepted-everywhere',
    level: 'must',
    rule: 'Every management operation accepts the version 2026-04-16 (with allow: read, only reading operations are tried).',
    sources: [
      { heading: 'Versioning', words: 'Version list: `2026-04-16`, stable, the initial version and the default.' },
    ],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'versions.unknown.stable-date-refused',
    level: 'must',
    rule: 'A well-formed date that is not a listed version returns 400 with error invalid_api_version.',
    sources: [
      { heading: 'Versioning', words: 'An unsupported version value yields 400 with the error `invalid_api_version`' },
    ],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'versions.unknown.preview-refused',
    level: 'must',
    rule: 'A preview value (YYYY-MM-DD.preview) that is not listed, including 2026-04-16.preview, returns 400 with error invalid_api_version.',
    sources: [
      { heading: 'Versioning', words: 'Preview form: `YYYY-MM-DD.preview`.' },
      { heading: 'Versioning', words: 'No other version is listed.' },
    ],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'versions.unknown.malformed-refused',
    level: 'must',
    rule: 'A value of neither form (latest, v1, 2026-4-16, 2026-04-16.beta, 2026-13-45, or arbitrary visible ASCII without a comma, which would look like a repeated header) returns 400 with error invalid_api_version.',
    sources: [
      { heading: 'Versioning', words: 'Requests may carry the header `Svc-Version` with a date-based value.' },
      { heading: 'Versioning', words: 'An unsupported version value yields 400 with the error `invalid_api_version`' },
    ],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'versions.unknown.message-names-it-and-the-valid-ones',
    level: 'must',
    rule: 'The message of the invalid_api_version error contains the unknown value as sent and every valid version.',
    sources: [{ heading: 'Errors', words: 'message: <text naming the unknown version and the valid versions>' }],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'versions.header.name-any-case',
    level: 'must',
    rule: 'The name of the version header is case-insensitive.',
    sources: [{ standard: 'RFC 9110', section: '5.1', words: 'Field names are case-insensitive' }],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'versions.unknown.has-no-effect',
    level: 'must',
    rule: 'A request with a rejected version has no effect: a write changes nothing.',
    sources: [
      { heading: 'Versioning', words: 'An unsupported version value yields 400 with the error `invalid_api_version`' },
    ],
    needs: ['write'],
    operations: [
      'createVpc',
      'createIntegrationConnection',
      'createFunction',
      'updateAgent',
      'deleteSandboxPreviewToken',
      'deleteVolumeTemplateVersion',
      'deleteUnusedImages',
    ],
  },
  {
    id: 'versions.precedence.before-credential',
    level: 'observe',
    rule: 'Whether the version is checked before the credential if both are invalid.',
    sources: [
      { heading: 'Versioning', words: 'An unsupported version value yields 400 with the error `invalid_api_version`' },
    ],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'versions.header.empty-repeated-or-other-apis',
    level: 'observe',
    rule: 'An empty version header, a repeated one, and the header on the inference and sandbox APIs.',
    sources: [{ heading: 'Versioning', words: 'Requests may carry the header `Svc-Version` with a date-based value.' }],
    needs: [],
    operations: ['management', 'inference', 'sandbox'],
  },
] as const satisfies readonly Requirement[];
