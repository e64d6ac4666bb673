/** Rules for metrics queries: parameters, resolutions, roles, accounts and the envelope of the response. */
import type { Requirement } from './requirement.ts';

export const metricsQueriesRequirements = [
  {
    id: 'metrics.parameters.window-required',
    level: 'must',
    rule: 'startTime and endTime are required: omitting either returns 400.',
    sources: [{ heading: 'Errors', words: 'Metrics: missing or invalid parameter' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.parameters.timestamps-rfc3339',
    level: 'must',
    rule: 'A startTime or endTime that is not an RFC 3339 timestamp (date only, month 13, 25:00, epoch number, words, empty) returns 400.',
    sources: [{ heading: 'GET `/accounts/{accountId}/metrics`', words: 'string, RFC 3339 UTC' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.parameters.end-not-before-start',
    level: 'must',
    rule: 'An endTime before startTime returns 400.',
    sources: [{ heading: 'Errors', words: 'Metrics: missing or invalid parameter' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.answer.shape-and-echo',
    level: 'must',
    rule: 'The response has startTime, endTime, resolution, summary, data and meta of the documented types; startTime and endTime are the requested instants.',
    sources: [{ heading: 'Billing metrics response (AccountMetricsResponse)', words: 'Echo of the queried window.' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.resolution.unknown-refused',
    level: 'must',
    rule: 'A resolution other than hourly, daily, weekly or monthly returns 400 (the empty value is not tried, because it may count as omitted).',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics`',
        words: '`hourly`, `daily`, `weekly`, `monthly`. Auto-picked when omitted.',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.resolution.explicit-echoed',
    level: 'must',
    rule: 'An explicit resolution within its cap returns 200 and is echoed in the response.',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: 'Bucket size applied (requested or auto-picked).',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.parameters.label-and-unit-unsupported',
    level: 'must',
    rule: 'label and unit are unsupported: each returns 400 as a groupBy dimension and as a query parameter.',
    sources: [{ heading: 'Errors', words: 'unsupported feature (`label`, `unit`)' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.roles.workspace-filter-admin-only',
    level: 'must',
    rule: 'The workspace parameter returns 403 with the message Access denied if the caller lacks the account-admin role.',
    sources: [
      {
        heading: 'Errors',
        words:
          'Metrics: non-admin caller uses `workspace=` or `groupBy=workspace` (also inside a multi-dimension groupBy)',
      },
    ],
    needs: ['member'],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.roles.group-by-workspace-admin-only',
    level: 'must',
    rule: 'groupBy=workspace, alone or combined with other dimensions, returns 403 with the message Access denied if the caller lacks the account-admin role.',
    sources: [
      {
        heading: 'Errors',
        words:
          'Metrics: non-admin caller uses `workspace=` or `groupBy=workspace` (also inside a multi-dimension groupBy)',
      },
    ],
    needs: ['member'],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.roles.member-may-ask-the-rest',
    level: 'must',
    rule: 'A query without the workspace parameter and groupBy=workspace returns 200 even if the caller lacks the account-admin role.',
    sources: [
      {
        heading: 'Authentication',
        words: 'the metrics parameters `workspace=` and `groupBy=workspace` require the account-admin role',
      },
    ],
    needs: ['member'],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.roles.workspace-admin-is-not-account-admin',
    level: 'must',
    rule: 'The workspace-admin role is not sufficient for the workspace parameter and groupBy=workspace: both return 403 with the message Access denied.',
    sources: [
      {
        heading: 'Authentication',
        words: 'require the account-admin role, which differs from the workspace-admin role',
      },
    ],
    needs: ['workspace-admin'],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.roles.admin-may-use-both',
    level: 'must',
    rule: 'An account admin may use the workspace parameter and groupBy=workspace.',
    sources: [
      { heading: 'GET `/accounts/{accountId}/metrics`', words: 'Restrict to one workspace name. Account-admin only.' },
    ],
    needs: ['admin'],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.accounts.foreign-refused',
    level: 'must',
    rule: 'An account that does not exist or does not belong to the caller returns 4xx and no metrics.',
    sources: [
      { heading: 'GET `/accounts/{accountId}/metrics`', words: 'identifier of the account owning the workspaces' },
    ],
    needs: [],
    operations: ['getAccountMetrics', 'listMetricsGroupBy', 'listMetricsResourceTypes'],
  },
  {
    id: 'metrics.parameters.edge-cases',
    level: 'observe',
    rule: 'startTime equal to endTime; offsets other than Z; lowercase t and z; fractional seconds; leap seconds; future windows; limit 0; empty groupBy, resolution, workspace, billingDimension, limit and cursor; spaces around commas; an empty name between commas; repeated parameters; unknown parameters.',
    sources: [{ heading: 'Errors', words: 'Metrics: missing or invalid parameter' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.resolution.picked-by-window',
    level: 'must',
    rule: 'If resolution is omitted, it is hourly for windows under 7 days, daily from exactly 7 to under 90 days, weekly from exactly 90 to 364 days, and monthly from 366 days (365 days are not tried, because the length of a year is not documented).',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics`',
        words:
          'Default resolution by window length: under 7 days `hourly`; under 90 days `daily`; under 1 year `weekly`; 1 year or more `monthly`.',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
    values: { hourlyBelowDays: 7, dailyBelowDays: 90, weeklyUpToDays: 364, monthlyFromDays: 366 },
  },
  {
    id: 'metrics.resolution.hourly-cap',
    level: 'must',
    rule: 'An hourly window of exactly 7 days returns 200; one second more returns 400.',
    sources: [{ heading: 'Limits', words: 'window at most 7 days' }],
    needs: [],
    operations: ['getAccountMetrics'],
    values: { capDays: 7 },
  },
  {
    id: 'metrics.resolution.daily-cap',
    level: 'must',
    rule: 'A daily window of exactly 90 days returns 200; one second more returns 400.',
    sources: [{ heading: 'Limits', words: 'window at most 90 days' }],
    needs: [],
    operations: ['getAccountMetrics'],
    values: { capDays: 90 },
  },
  {
    id: 'metrics.resolution.weekly-cap',
    level: 'must',
    rule: 'A weekly window of 365 days returns 200; one of more than 366 days returns 400.',
    sources: [{ heading: 'Limits', words: 'window at most 1 year' }],
    needs: [],
    operations: ['getAccountMetrics'],
    values: { acceptedDays: 365, refusedAboveDays: 366 },
  },
  {
    id: 'metrics.resolution.monthly-uncapped',
    level: 'must',
    rule: 'A monthly window has no maximum length: windows of many years return 200.',
    sources: [{ heading: 'Limits', words: 'no window cap' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
] as const satisfies readonly Requirement[];
