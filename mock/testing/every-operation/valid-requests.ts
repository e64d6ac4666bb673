/** For each operation a valid request in the world of open-mock.ts, as far as it differs from the documents' examples. */
import type { OperationId } from '../../../spec/operations.ts';
import { initialize } from '../mcp-client.ts';
import type { SendOperation } from './request-types.ts';
import type { Change } from './request-types.ts';

export interface ValidRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What the example body's metadata names. */
  readonly name?: string;
  /** Defaults to the first documented one. */
  readonly status?: number;
  /** Creates what the request needs, and returns the parts of the request that depend on it. */
  readonly before?: (ask: SendOperation) => Promise<Change>;
}

const asShown: ValidRequest = {};
const creates: ValidRequest = { name: 'new-one' };
const writes = (name: string): ValidRequest => ({ name });

const client = { client_id: 'demo-client', client_secret: 'demo-secret' };
const redirect_uri = 'http://127.0.0.1:8765/callback';

const says: ValidRequest = { headers: { accept: 'application/json, text/event-stream' }, body: initialize };
const inSession = (begin: 'postFunctionMcp' | 'postSandboxMcp'): ValidRequest => ({
  headers: { accept: 'text/event-stream' },
  before: async (ask) => ({ headers: { 'mcp-session-id': String((await ask(begin)).headers['mcp-session-id']) } }),
});

/** The path of a created resource whose name the mock chooses. */
const made = (id: OperationId, member: string, parameter: string) => async (ask: SendOperation) => {
  const { text = '' } = await ask(id);
  return { path: { [parameter]: String((JSON.parse(text) as Record<string, unknown>)[member]) } };
};
const ofExecution: ValidRequest = { before: made('createJobExecution', 'id', 'executionId') };
const newUpload = made('initiateMultipartUpload', 'uploadId', 'uploadId');

export const validRequests = {
  listAgents: asShown,
  createAgent: creates,
  getAgent: asShown,
  updateAgent: asShown,
  deleteAgent: asShown,

  listFunctions: asShown,
  createFunction: creates,
  getFunction: asShown,
  updateFunction: writes('demo-tools'),
  deleteFunction: asShown,

  listModels: asShown,
  createModel: creates,
  getModel: asShown,
  updateModel: writes('demo-model'),
  deleteModel: asShown,

  listSandboxes: asShown,
  createSandbox: creates,
  getSandbox: asShown,
  updateSandbox: writes('demo-box'),
  deleteSandbox: asShown,

  listSandboxPreviews: asShown,
  createSandboxPreview: creates,
  getSandboxPreview: asShown,
  updateSandboxPreview: writes('web'),
  deleteSandboxPreview: asShown,

  listSandboxPreviewTokens: asShown,
  createSandboxPreviewToken: creates,
  getSandboxPreviewToken: asShown,
  deleteSandboxPreviewToken: asShown,

  listJobs: asShown,
  createJob: creates,
  getJob: asShown,
  updateJob: writes('demo-job'),
  deleteJob: asShown,

  listJobExecutionsOfJob: asShown,
  createExecutionOfJob: asShown,
  getExecutionOfJob: ofExecution,
  listJobExecutions: asShown,
  createJobExecution: asShown,
  getJobExecution: ofExecution,

  listVolumes: asShown,
  createVolume: creates,
  getVolume: asShown,
  updateVolume: asShown,
  deleteVolume: asShown,

  listVolumeTemplates: asShown,
  createVolumeTemplate: creates,
  getVolumeTemplate: asShown,
  updateVolumeTemplate: asShown,
  deleteVolumeTemplate: asShown,

  listVolumeTemplateVersions: asShown,
  createVolumeTemplateVersion: { body: { name: 'v9' } },
  getVolumeTemplateVersion: asShown,
  deleteVolumeTemplateVersion: asShown,

  listVpcs: asShown,
  createVpc: creates,
  getVpc: asShown,
  updateVpc: asShown,
  deleteVpc: asShown,

  listIntegrations: asShown,
  getIntegration: asShown,

  listIntegrationConnections: asShown,
  createIntegrationConnection: creates,
  getIntegrationConnection: asShown,
  updateIntegrationConnection: asShown,
  deleteIntegrationConnection: asShown,

  listCustomDomains: asShown,
  createCustomDomain: creates,
  getCustomDomain: asShown,
  updateCustomDomain: writes('demo-domain'),
  deleteCustomDomain: asShown,

  listPolicies: asShown,
  createPolicy: creates,
  getPolicy: asShown,
  updatePolicy: writes('demo-policy'),
  deletePolicy: asShown,

  listImages: asShown,
  createImage: creates,
  deleteUnusedImages: asShown,
  getImage: { path: { imageName: 'img-0a1b2c3d' } },
  updateImage: { path: { imageName: 'img-0a1b2c3d' }, name: 'img-0a1b2c3d' },
  deleteImage: { path: { imageName: 'img-0a1b2c3d' } },

  listWorkspaces: asShown,
  createWorkspace: creates,
  getWorkspace: asShown,
  updateWorkspace: writes('demo'),
  deleteWorkspace: {
    before: async (ask) => {
      await ask('createWorkspace');
      return { path: { workspaceName: 'new-one' } };
    },
  },

  listAccounts: asShown,
  getAccountMetrics: asShown,
  listMetricsGroupBy: asShown,
  listMetricsResourceTypes: asShown,

  authorize: { query: { response_type: 'code', client_id: 'demo-client', redirect_uri } },
  decideAuthorization: { status: 303 },
  requestToken: { body: { grant_type: 'client_credentials', ...client } },
  revokeToken: { body: { token: 'unknown', ...client } },
  getKeySet: asShown,
  getAuthorizationServerMetadata: asShown,
  getOpenIdConfiguration: asShown,

  queryAgent: asShown,
  queryAgentTrigger: { path: { agent: 'demo-agent-mk3' }, status: 202 },
  queryModel: asShown,
  createChatCompletion: asShown,
  createChatCompletionV1: asShown,

  getFunctionMcp: inSession('postFunctionMcp'),
  postFunctionMcp: says,
  deleteFunctionMcp: inSession('postFunctionMcp'),
  getSandboxMcp: inSession('postSandboxMcp'),
  postSandboxMcp: says,
  deleteSandboxMcp: inSession('postSandboxMcp'),

  getSandboxRoot: asShown,
  readTree: asShown,
  writeTree: asShown,
  watchDirectory: asShown,
  listMultipartUploads: asShown,
  initiateMultipartUpload: { path: { path: 'app/data.bin' } },
  uploadMultipartPart: { query: { partNumber: '1' }, before: newUpload },
  completeMultipartUpload: {
    body: { parts: [{ partNumber: 1 }] },
    before: async (ask) => {
      const upload = await newUpload(ask);
      await ask('uploadMultipartPart', upload);
      return upload;
    },
  },
  abortMultipartUpload: { before: newUpload },
} satisfies Record<OperationId, ValidRequest>;
