/** Rules for error bodies and for robustness against invalid input. */
import type { Requirement } from './requirement.ts';

export const errorsRequirements = [
  {
    id: 'errors.management.body-shape',
    level: 'must',
    since: '0.1.0',
    rule: 'In an error response of agent update, error is a required string, code is an integer if present, and message is a string if present; the 403 of metrics includes its message.',
    sources: [
      {
        heading: 'Errors',
        words:
          'Management error body (Error): `error` (string, required, kind of error), `code` (integer, HTTP status), `message` (string, human-readable).',
      },
    ],
    needs: [],
    operations: ['updateAgent', 'getAccountMetrics'],
  },
  {
    id: 'errors.management.code-is-the-status',
    level: 'must',
    since: '0.1.0',
    rule: 'If an Error body includes code, it equals the HTTP status.',
    sources: [{ heading: 'Errors', words: '`code` (integer, HTTP status)' }],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'errors.version.body-shape',
    level: 'must',
    since: '0.1.0',
    rule: 'In the invalid_api_version body, error and message are strings (code is not documented for it).',
    sources: [
      {
        heading: 'Errors',
        words: '{error: invalid_api_version, message: <text naming the unknown version and the valid versions>}',
      },
    ],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'errors.sandbox.body-shape',
    level: 'must',
    since: '0.1.0',
    rule: 'A sandbox error body has error, a string.',
    sources: [{ heading: 'Errors', words: 'Sandbox error body: `{error: string}`.' }],
    needs: ['sandbox'],
    operations: ['readTree', 'writeTree', 'listMultipartUploads', 'watchDirectory'],
  },
  {
    id: 'errors.management.is-json',
    level: 'must',
    since: '0.1.0',
    rule: 'An error response with a documented body is JSON with a matching Content-Type (application/json or a +json type).',
    sources: [{ heading: 'Endpoints', words: 'Bodies are JSON.' }],
    needs: [],
    operations: ['management', 'writeTree', 'listMultipartUploads', 'watchDirectory'],
  },
  {
    id: 'errors.robustness.never-5xx',
    level: 'must',
    since: '0.1.0',
    rule: 'No input that the suites send, including malformed JSON, a wrong media type, huge or deeply nested bodies and unusual paths or query strings, causes a 5xx; exceptions are 502, 503 and 504 from a workload that is not serving, and 501 for a method unknown to the server.',
    sources: [
      {
        standard: 'RFC 9110',
        section: '15.6',
        words: 'the server is aware that it has erred or is incapable of performing the requested method',
      },
    ],
    needs: [],
    operations: ['management', 'host', 'inference', 'sandbox'],
  },
  {
    id: 'errors.generic.statuses',
    level: 'observe',
    since: '0.1.0',
    rule: 'Status and body for malformed JSON, a wrong media type, an unknown path, an unsupported method and a body that is too large.',
    sources: [
      {
        heading: 'Errors',
        words: 'Statuses and error bodies of the other management operations (rows 2 to 9): not shown.',
      },
    ],
    needs: [],
    operations: ['management', 'host', 'inference', 'sandbox'],
  },
] as const satisfies readonly Requirement[];
