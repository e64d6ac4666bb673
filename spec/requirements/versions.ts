/** Rules of the version header: which values are listed, and what an unlisted one gets. */
import type { Requirement } from './requirement.ts';
import { versions } from '../versions.ts';

export const versionsRequirements = [
  {
    id: 'versions.default.absent-header-means-earliest-stable',
    level: 'must',
    rule: 'Without the version header, a management request is answered as under the earliest stable version (2026-04-16): same status and same shape as with that version named.',
    needs: [],
    operations: ['management'],
    values: { version: '2026-04-16' },
  },
  {
    id: 'versions.listed.accepted-everywhere',
    level: 'must',
    rule: '2026-04-16 is accepted on every management operation (under allow: read, on the reading ones).',
    needs: [],
    operations: ['management'],
    values: { version: '2026-04-16' },
  },
  {
    id: 'versions.unknown.stable-date-refused',
    level: 'must',
    rule: 'A well-formed date that is not a listed version is answered 400 with error invalid_api_version.',
    needs: [],
    operations: ['management'],
    values: { status: 400, error: 'invalid_api_version' },
  },
  {
    id: 'versions.unknown.preview-refused',
    level: 'must',
    rule: 'A preview value (YYYY-MM-DD.preview) that is not listed, 2026-04-16.preview included, is answered 400 with error invalid_api_version.',
    needs: [],
    operations: ['management'],
    values: { status: 400, error: 'invalid_api_version', previewOfListed: '2026-04-16.preview' },
  },
  {
    id: 'versions.unknown.malformed-refused',
    level: 'must',
    rule: 'A value of neither form (latest, v1, 2026-4-16, 2026-04-16.beta, 2026-13-45, arbitrary visible ASCII without a comma, which would read as the header sent twice) is answered 400 with error invalid_api_version.',
    needs: [],
    operations: ['management'],
    values: {
      status: 400,
      error: 'invalid_api_version',
      malformed: ['latest', 'v1', '2026-4-16', '2026-04-16.beta', '2026-13-45'],
    },
  },
  {
    id: 'versions.unknown.message-names-it-and-the-valid-ones',
    level: 'must',
    rule: 'The message of that error contains the unknown value as sent and every valid version.',
    needs: [],
    operations: ['management'],
    values: { status: 400, error: 'invalid_api_version', versions: versions.map(({ version }) => version) },
  },
  {
    id: 'versions.header.name-any-case',
    level: 'must',
    rule: "The version header's name is case-insensitive.",
    needs: [],
    operations: ['management'],
  },
  {
    id: 'versions.unknown.has-no-effect',
    level: 'must',
    rule: 'A refused version has no effect: a write that carries it changes nothing.',
    needs: ['write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction', 'updateAgent'],
    values: { status: 400, error: 'invalid_api_version' },
  },
  {
    id: 'versions.precedence.before-credential',
    level: 'observe',
    rule: 'Whether the version is judged before the credential when both are wrong.',
    needs: [],
    operations: ['management'],
  },
  {
    id: 'versions.header.empty-repeated-or-other-apis',
    level: 'observe',
    rule: 'An empty version header, the header sent twice, and the header on the inference and sandbox APIs.',
    needs: [],
    operations: ['management', 'inference', 'sandbox'],
  },
] as const satisfies readonly Requirement[];
