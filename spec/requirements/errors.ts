/** Rules of error bodies, and of input that no server should stumble over. */
import type { Requirement } from './requirement.ts';

export const errorsRequirements = [
  {
    id: 'errors.management.body-shape',
    level: 'must',
    rule: 'An error answer of agent update has error (string, required); code (integer) and message (string) are of these types where present; the metrics 403 has its message.',
    needs: [],
    operations: ['updateAgent', 'getAccountMetrics'],
  },
  {
    id: 'errors.management.code-is-the-status',
    level: 'must',
    rule: 'Where an Error body has code, it equals the HTTP status.',
    needs: [],
    operations: ['management'],
  },
  {
    id: 'errors.version.body-shape',
    level: 'must',
    rule: 'The invalid_api_version body has error and message as strings (code is not shown for it).',
    needs: [],
    operations: ['management'],
    values: { status: 400, error: 'invalid_api_version' },
  },
  {
    id: 'errors.sandbox.body-shape',
    level: 'must',
    rule: 'A sandbox error body has error (string).',
    needs: ['sandbox'],
    operations: ['readTree', 'writeTree', 'listMultipartUploads', 'watchDirectory'],
  },
  {
    id: 'errors.management.is-json',
    level: 'must',
    rule: 'An error answer with a documented body is JSON, and says so in Content-Type (application/json or a +json type).',
    needs: [],
    operations: ['management', 'writeTree', 'listMultipartUploads', 'watchDirectory'],
  },
  {
    id: 'errors.robustness.never-5xx',
    level: 'must',
    rule: 'No input that the suites send, malformed JSON, wrong media type, huge or deeply nested bodies, odd paths or query strings included, is answered with a 5xx; 502, 503 and 504 on the way to a workload that does not serve just then, and 501 for a method the server does not know, apart.',
    needs: [],
    operations: ['management', 'host', 'inference', 'sandbox'],
    values: { workloadStatuses: [502, 503, 504], unknownMethodStatus: 501 },
  },
  {
    id: 'errors.generic.statuses',
    level: 'observe',
    rule: 'Status and body for malformed JSON, wrong media type, unknown path, unsupported method, over-long body.',
    needs: [],
    operations: ['management', 'host', 'inference', 'sandbox'],
  },
] as const satisfies readonly Requirement[];
