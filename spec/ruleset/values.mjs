// @ts-check
/** Enumerations and limits for the rules. Duplicated so that Spectral can load the ruleset; a test compares them with the documents. */

export const statuses = [
  'DELETING',
  'TERMINATED',
  'FAILED',
  'DEACTIVATED',
  'DEACTIVATING',
  'UPLOADING',
  'BUILDING',
  'DEPLOYING',
  'DEPLOYED',
  'BUILT',
];
export const generations = ['mk2', 'mk3'];
export const triggerTypes = ['http', 'http-async', 'cron'];
export const resolutions = ['hourly', 'daily', 'weekly', 'monthly'];
export const groupByDimensions = ['workspace', 'resource_type', 'resource_name', 'resource_uuid', 'billing_dimension'];
export const billingDimensions = [
  'sandbox_compute_runtime_gbs',
  'sandbox_image_storage_gbs',
  'sandbox_snapshot_storage_gbs',
  'agent_compute_runtime_gbs',
  'agent_image_storage_gbs',
  'agent_async_requests_count',
  'job_compute_runtime_gbs',
  'job_image_storage_gbs',
  'mcp_server_compute_runtime_gbs',
  'mcp_server_image_storage_gbs',
  'volume_storage_gbs',
  'custom_domain_active_time_hours',
];

/** First segments of the paths of the management API. */
export const collections = [
  'agents',
  'functions',
  'models',
  'sandboxes',
  'jobs',
  'volumes',
  'volume_templates',
  'vpcs',
  'integrations',
  'customdomains',
  'policies',
  'images',
  'workspaces',
  'accounts',
];

/** The documented operations, parameters as `{}`, without those of OAuth and MCP, which many other servers have too. */
export const documentedOperations = [
  'put /agents/{}',
  'post /functions',
  'delete /sandboxes/{}/previews/{}/tokens/{}',
  'delete /volume_templates/{}/versions/{}',
  'post /vpcs',
  'post /integrations/connections',
  'get /integrations/{}',
  'delete /images',
  'get /accounts',
  'get /accounts/{}/metrics',
  'get /accounts/{}/metrics/enums/group-by',
  'get /accounts/{}/metrics/enums/resource-types',
  'post /{}/jobs/{}/executions',
  'post /{}/agents/{}',
  'post /{}/models/{}',
  'post /{}/models/{}/chat/completions',
  'get /filesystem/tree/{}',
  'put /filesystem/tree/{}',
  'get /filesystem-multipart',
  'get /watch/filesystem/{}',
];

/** The actions of each resource with scopes; a scope is `<resource>:<action>`. */
export const scopeActions = {
  agents: ['create', 'delete', 'get', 'list', 'update'],
  functions: ['create', 'delete', 'get', 'list', 'update'],
  jobs: ['create', 'delete', 'get', 'list', 'update'],
  models: ['create', 'delete', 'get', 'list', 'update'],
  policies: ['create', 'delete', 'get', 'list', 'update'],
  customdomains: ['create', 'delete', 'get', 'list', 'update'],
  sandboxes: ['control', 'create', 'delete', 'get', 'list', 'update'],
  volumes: ['create', 'delete', 'get', 'list'],
  volumeTemplates: ['create', 'delete', 'get', 'list', 'upsert'],
  workspaces: ['accept', 'create', 'decline', 'delete', 'get', 'invite', 'leave', 'list', 'remove', 'update'],
  integrations: ['create', 'list'],
  templates: ['get', 'list'],
  apiKey: ['list', 'write'],
  configurations: ['list'],
  invitations: ['list'],
  locations: ['list'],
  mcphub: ['list'],
  sandboxhub: ['list'],
};

export const limits = {
  nameLength: 49,
  displayNameLength: 63,
  triggerTimeoutSeconds: 900,
  metricsPage: 100,
  groupByDimensions: 3,
};

/**
 * The limits that a later version changed, by that version, in chronological order. They hold until another one changes them.
 * @type {Readonly<Record<string, Partial<typeof limits>>>}
 */
export const laterLimits = {
  // Such as '2027-01-31': { nameLength: 40 },
};

/**
 * The limits of the version that the document of a place describes.
 * @param {import('./document/place.mjs').Place} place
 * @returns {typeof limits}
 */
export const limitsAt = ({ reading }) => {
  const described = String(reading.describedVersion);
  const isDate = /^\d{4}-\d\d-\d\d/.test(described);
  const changes = Object.entries(laterLimits).filter(([version]) => isDate && version <= described);
  return Object.assign({}, limits, ...changes.map(([, change]) => change));
};

/** Wordings of the longest windows in descriptions. */
export const windowCaps = { hourly: /\b7[ -]days?\b/i, daily: /\b90[ -]days?\b/i, weekly: /\b(1|one|a)[ -]year\b/i };

export const earliestVersion = '2026-04-16';
