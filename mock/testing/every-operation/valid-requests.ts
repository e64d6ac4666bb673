/** A valid request of each operation in the world of open-mock.ts, if it differs from the examples of the documents. */
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
  readonly before?: (send: SendOperation) => Promise<Change>;
}

const asDocumented: ValidRequest = {};
const creates: ValidRequest = { name: 'new-one' };

const client = { client_id: 'demo-client', client_secret: 'demo-secret' };
const redirect_uri = 'http://127.0.0.1:8765/callback';

const initializes: ValidRequest = { headers: { accept: 'application/json, text/event-stream' }, body: initialize };
const inSession = (begin: 'postFunctionMcp' | 'postSandboxMcp'): ValidRequest => ({
  headers: { accept: 'text/event-stream' },
  before: async (send) => ({ headers: { 'mcp-session-id': String((await send(begin)).headers['mcp-session-id']) } }),
});

/** The path of a created resource whose name the mock chooses. */
const made = (id: OperationId, member: string, parameter: string) => async (send: SendOperation) => {
  const { text = '' } = await send(id);
  return { path: { [parameter]: String((JSON.parse(text) as Record<string, unknown>)[member]) } };
};
/** Deletes what it created: what others use cannot be deleted. */
const deletesNew = (create: OperationId, parameter: string): ValidRequest => ({
  before: async (send) => {
    await send(create);
    return { path: { [parameter]: 'new-one' } };
  },
});
/** Of the callers of the tests. */
const afterInvitation: ValidRequest = {
  before: async (send) => {
    const workspaceName = 'demo-research';
    for (const userId of ['ada@demo.example', 'deployer'])
      await send('inviteToWorkspace', { path: { workspaceName, userId } });
    return { path: { workspaceName } };
  },
};
const ofExecution: ValidRequest = { before: made('createJobExecution', 'id', 'executionId') };
const afterWrite = (path: string): ValidRequest => ({
  before: async (send) => {
    await send('writeFile', { path: { path: `${path}/new.txt` } });
    return { path: { path } };
  },
});
const ofNewDirectory: ValidRequest = { ...afterWrite('new-directory'), query: { recursive: 'true' } };
const ofNewFile: ValidRequest = { ...afterWrite('other-directory'), query: { recursive: 'true' } };
const newUpload = made('initiateMultipartUpload', 'uploadId', 'uploadId');

export const validRequests = {
  listAgents: asDocumented,
  createAgent: creates,
  getAgent: asDocumented,
  updateAgent: asDocumented,
  deleteAgent: asDocumented,

  listFunctions: asDocumented,
  createFunction: creates,
  getFunction: asDocumented,
  updateFunction: asDocumented,
  deleteFunction: asDocumented,

  listModels: asDocumented,
  createModel: creates,
  getModel: asDocumented,
  updateModel: asDocumented,
  deleteModel: asDocumented,

  listSandboxes: asDocumented,
  createSandbox: creates,
  getSandbox: asDocumented,
  updateSandbox: asDocumented,
  deleteSandbox: asDocumented,
  startSandbox: asDocumented,
  stopSandbox: asDocumented,

  listSandboxPreviews: asDocumented,
  createSandboxPreview: creates,
  getSandboxPreview: asDocumented,
  updateSandboxPreview: asDocumented,
  deleteSandboxPreview: asDocumented,

  listSandboxPreviewTokens: asDocumented,
  createSandboxPreviewToken: creates,
  getSandboxPreviewToken: asDocumented,
  deleteSandboxPreviewToken: asDocumented,

  listJobs: asDocumented,
  createJob: creates,
  getJob: asDocumented,
  updateJob: asDocumented,
  deleteJob: asDocumented,

  listJobExecutionsOfJob: asDocumented,
  createExecutionOfJob: asDocumented,
  getExecutionOfJob: ofExecution,
  listJobExecutions: asDocumented,
  createJobExecution: asDocumented,
  getJobExecution: ofExecution,

  listVolumes: asDocumented,
  createVolume: creates,
  getVolume: asDocumented,
  updateVolume: asDocumented,
  deleteVolume: deletesNew('createVolume', 'volumeName'),

  listVolumeTemplates: asDocumented,
  createVolumeTemplate: creates,
  getVolumeTemplate: asDocumented,
  updateVolumeTemplate: asDocumented,
  deleteVolumeTemplate: asDocumented,

  listVolumeTemplateVersions: asDocumented,
  createVolumeTemplateVersion: { body: { name: 'v9' } },
  getVolumeTemplateVersion: asDocumented,
  deleteVolumeTemplateVersion: asDocumented,

  listVpcs: asDocumented,
  createVpc: creates,
  getVpc: asDocumented,
  updateVpc: asDocumented,
  deleteVpc: asDocumented,

  listIntegrations: asDocumented,
  getIntegration: asDocumented,

  listIntegrationConnections: asDocumented,
  createIntegrationConnection: creates,
  getIntegrationConnection: asDocumented,
  updateIntegrationConnection: asDocumented,
  deleteIntegrationConnection: deletesNew('createIntegrationConnection', 'connectionName'),

  listCustomDomains: asDocumented,
  createCustomDomain: creates,
  getCustomDomain: asDocumented,
  updateCustomDomain: asDocumented,
  deleteCustomDomain: asDocumented,

  listPolicies: asDocumented,
  createPolicy: creates,
  getPolicy: asDocumented,
  updatePolicy: asDocumented,
  deletePolicy: asDocumented,

  listImages: asDocumented,
  createImage: creates,
  deleteUnusedImages: asDocumented,
  getImage: asDocumented,
  updateImage: asDocumented,
  deleteImage: asDocumented,

  listWorkspaces: asDocumented,
  createWorkspace: creates,
  getWorkspace: asDocumented,
  updateWorkspace: asDocumented,
  deleteWorkspace: {
    before: async (send) => {
      await send('createWorkspace');
      return { path: { workspaceName: 'new-one' } };
    },
  },

  inviteToWorkspace: asDocumented,
  acceptWorkspaceInvitation: afterInvitation,
  declineWorkspaceInvitation: afterInvitation,
  leaveWorkspace: asDocumented,
  listWorkspaceUsers: asDocumented,
  removeFromWorkspace: asDocumented,

  listAccounts: asDocumented,
  getAccountMetrics: asDocumented,
  listMetricsGroupBy: asDocumented,
  listMetricsResourceTypes: asDocumented,

  authorize: { query: { response_type: 'code', client_id: 'demo-client', redirect_uri } },
  decideAuthorization: { status: 303 },
  requestToken: { body: { grant_type: 'client_credentials', ...client } },
  revokeToken: { body: { token: 'unknown', ...client } },
  registerClient: asDocumented,
  getKeySet: asDocumented,
  getAuthorizationServerMetadata: asDocumented,
  getOpenIdConfiguration: asDocumented,
  getProtectedResourceMetadata: asDocumented,

  queryAgent: asDocumented,
  queryAgentTrigger: { path: { agent: 'demo-agent-mk3', triggerPath: 'later' }, status: 202 },
  queryModel: asDocumented,
  createChatCompletion: asDocumented,
  createChatCompletionV1: asDocumented,

  getFunctionMcp: inSession('postFunctionMcp'),
  postFunctionMcp: initializes,
  deleteFunctionMcp: inSession('postFunctionMcp'),
  getSandboxMcp: inSession('postSandboxMcp'),
  postSandboxMcp: initializes,
  deleteSandboxMcp: inSession('postSandboxMcp'),

  getSandboxResourceMetadata: { path: { path: 'mcp' } },
  getSandboxRoot: asDocumented,
  readTree: asDocumented,
  writeTree: asDocumented,
  readFile: { path: { path: 'app/README.md' } },
  writeFile: { path: { path: 'app/new.txt' } },
  deleteFile: ofNewFile,
  deleteTree: ofNewDirectory,
  watchDirectory: asDocumented,
  listMultipartUploads: asDocumented,
  initiateMultipartUpload: { path: { path: 'app/data.bin' } },
  uploadMultipartPart: { query: { partNumber: '1' }, before: newUpload },
  completeMultipartUpload: {
    before: async (send) => {
      const upload = await newUpload(send);
      const { text = '' } = await send('uploadMultipartPart', upload);
      return { ...upload, body: JSON.stringify({ parts: [JSON.parse(text)] }) };
    },
  },
  listMultipartParts: { before: newUpload },
  abortMultipartUpload: { before: newUpload },
} satisfies Record<OperationId, ValidRequest>;
