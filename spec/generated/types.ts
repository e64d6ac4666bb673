/** Types of the OpenAPI documents. Written by `npm run documents`; change the documents instead. */

/**
 * A task of a cron job. Its fields are not documented.
 */
export type TriggerConfigurationTask = Record<string, unknown>;
/**
 * Deployment status of a resource. The transitions are not documented.
 */
export type DeploymentStatus =
  | 'DELETING'
  | 'TERMINATED'
  | 'FAILED'
  | 'DEACTIVATED'
  | 'DEACTIVATING'
  | 'UPLOADING'
  | 'BUILDING'
  | 'DEPLOYING'
  | 'DEPLOYED'
  | 'BUILT';
/**
 * Events of the deployments of the resource.
 */
export type CoreEvents = CoreEvent[];
/**
 * The body is not documented.
 */
export type Undocumented = unknown;
/**
 * A token of a sandbox preview. Its fields are not documented.
 */
export type PreviewToken = Record<string, unknown>;
/**
 * An execution of a job. Its shape is not documented.
 */
export type JobExecution = unknown;
/**
 * The accounts of the caller, from which the account id is read. The shape is not documented.
 */
export type Accounts = unknown;
/**
 * Size of a bucket. The window is at most 7 days for `hourly`, 90 days for `daily` and 1 year for `weekly`, and unlimited for `monthly`. If omitted, it is picked by the length of the window: `hourly` under 7 days, `daily` under 90 days, `weekly` under 1 year, otherwise `monthly`.
 */
export type Resolution = 'hourly' | 'daily' | 'weekly' | 'monthly';
/**
 * A metered quantity. Each dimension belongs to one resource type and has one unit: `gbs` means GB-seconds, `count` discrete events, and `hours` active hours.
 */
export type BillingDimension =
  | 'sandbox_compute_runtime_gbs'
  | 'sandbox_image_storage_gbs'
  | 'sandbox_snapshot_storage_gbs'
  | 'agent_compute_runtime_gbs'
  | 'agent_image_storage_gbs'
  | 'agent_async_requests_count'
  | 'job_compute_runtime_gbs'
  | 'job_image_storage_gbs'
  | 'mcp_server_compute_runtime_gbs'
  | 'mcp_server_image_storage_gbs'
  | 'volume_storage_gbs'
  | 'custom_domain_active_time_hours';
/**
 * An RFC 3339 timestamp.
 */
export type Instant = string;
/**
 * A dimension that cost and usage can be grouped by.
 */
export type GroupByDimension = 'workspace' | 'resource_type' | 'resource_name' | 'resource_uuid' | 'billing_dimension';
/**
 * The response of an agent. Its shape is not documented.
 */
export type AgentResponse = unknown;
/**
 * An accepted asynchronous request. Its shape is not documented.
 */
export type AsyncRequest = unknown;
/**
 * A request to a model API. Its shape is specific to the model.
 */
export type ModelQuery = unknown;
/**
 * The response of a model API. Its shape is not documented.
 */
export type ModelResponse = unknown;
/**
 * The completion. Its shape is not documented.
 */
export type ChatCompletion = unknown;
/**
 * An MCP message of the streamable HTTP transport. Its content is not documented.
 */
export type McpMessage = unknown;
/**
 * A scope of a credential.
 */
export type Scope =
  | 'admin'
  | 'agents:create'
  | 'agents:delete'
  | 'agents:get'
  | 'agents:list'
  | 'agents:update'
  | 'functions:create'
  | 'functions:delete'
  | 'functions:get'
  | 'functions:list'
  | 'functions:update'
  | 'jobs:create'
  | 'jobs:delete'
  | 'jobs:get'
  | 'jobs:list'
  | 'jobs:update'
  | 'models:create'
  | 'models:delete'
  | 'models:get'
  | 'models:list'
  | 'models:update'
  | 'policies:create'
  | 'policies:delete'
  | 'policies:get'
  | 'policies:list'
  | 'policies:update'
  | 'customdomains:create'
  | 'customdomains:delete'
  | 'customdomains:get'
  | 'customdomains:list'
  | 'customdomains:update'
  | 'sandboxes:control'
  | 'sandboxes:create'
  | 'sandboxes:delete'
  | 'sandboxes:get'
  | 'sandboxes:list'
  | 'sandboxes:update'
  | 'volumes:create'
  | 'volumes:delete'
  | 'volumes:get'
  | 'volumes:list'
  | 'volumeTemplates:create'
  | 'volumeTemplates:delete'
  | 'volumeTemplates:get'
  | 'volumeTemplates:list'
  | 'volumeTemplates:upsert'
  | 'workspaces:accept'
  | 'workspaces:create'
  | 'workspaces:decline'
  | 'workspaces:delete'
  | 'workspaces:get'
  | 'workspaces:invite'
  | 'workspaces:leave'
  | 'workspaces:list'
  | 'workspaces:remove'
  | 'workspaces:update'
  | 'integrations:create'
  | 'integrations:list'
  | 'templates:get'
  | 'templates:list'
  | 'apiKey:list'
  | 'apiKey:write'
  | 'configurations:list'
  | 'invitations:list'
  | 'locations:list'
  | 'mcphub:list'
  | 'sandboxhub:list';
/**
 * Another error, whose body is not documented.
 */
export type OtherError = Record<string, unknown> | unknown[] | string | number | boolean | null;
/**
 * An unknown version, or another error whose body is not documented.
 */
export type BadRequest = VersionError | OtherError;
/**
 * A missing account-admin role, or another error whose body is not documented.
 */
export type MetricsForbidden = AccessDenied | OtherError;

export interface Operations {
  listAgents: {
    path: {};
    query: {};
    body: undefined;
    reply: Agent[];
  };
  createAgent: {
    path: {};
    query: {};
    body: Agent;
    reply: Agent;
  };
  getAgent: {
    path: {
      agentName: string;
    };
    query: {};
    body: undefined;
    reply: Agent;
  };
  updateAgent: {
    path: {
      agentName: string;
    };
    query: {};
    body: Agent;
    reply: Agent;
  };
  deleteAgent: {
    path: {
      agentName: string;
    };
    query: {};
    body: undefined;
    reply: Agent;
  };
  listFunctions: {
    path: {};
    query: {};
    body: undefined;
    reply: McpFunction[];
  };
  createFunction: {
    path: {};
    query: {};
    body: McpFunction;
    reply: Undocumented;
  };
  getFunction: {
    path: {
      functionName: string;
    };
    query: {};
    body: undefined;
    reply: McpFunction;
  };
  updateFunction: {
    path: {
      functionName: string;
    };
    query: {};
    body: McpFunction;
    reply: McpFunction;
  };
  deleteFunction: {
    path: {
      functionName: string;
    };
    query: {};
    body: undefined;
    reply: McpFunction;
  };
  listModels: {
    path: {};
    query: {};
    body: undefined;
    reply: Resource[];
  };
  createModel: {
    path: {};
    query: {};
    body: Resource;
    reply: Resource;
  };
  getModel: {
    path: {
      modelName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  updateModel: {
    path: {
      modelName: string;
    };
    query: {};
    body: Resource;
    reply: Resource;
  };
  deleteModel: {
    path: {
      modelName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  listSandboxes: {
    path: {};
    query: {};
    body: undefined;
    reply: Resource[];
  };
  createSandbox: {
    path: {};
    query: {};
    body: Resource;
    reply: Resource;
  };
  getSandbox: {
    path: {
      sandboxName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  updateSandbox: {
    path: {
      sandboxName: string;
    };
    query: {};
    body: Resource;
    reply: Resource;
  };
  deleteSandbox: {
    path: {
      sandboxName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  startSandbox: {
    path: {
      sandboxName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  stopSandbox: {
    path: {
      sandboxName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  listSandboxPreviews: {
    path: {
      sandboxName: string;
    };
    query: {};
    body: undefined;
    reply: Resource[];
  };
  createSandboxPreview: {
    path: {
      sandboxName: string;
    };
    query: {};
    body: Resource;
    reply: Resource;
  };
  getSandboxPreview: {
    path: {
      sandboxName: string;
      previewName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  updateSandboxPreview: {
    path: {
      sandboxName: string;
      previewName: string;
    };
    query: {};
    body: Resource;
    reply: Resource;
  };
  deleteSandboxPreview: {
    path: {
      sandboxName: string;
      previewName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  listSandboxPreviewTokens: {
    path: {
      sandboxName: string;
      previewName: string;
    };
    query: {};
    body: undefined;
    reply: PreviewToken[];
  };
  createSandboxPreviewToken: {
    path: {
      sandboxName: string;
      previewName: string;
    };
    query: {};
    body: PreviewTokenToWrite;
    reply: PreviewToken;
  };
  getSandboxPreviewToken: {
    path: {
      sandboxName: string;
      previewName: string;
      tokenName: string;
    };
    query: {};
    body: undefined;
    reply: PreviewToken;
  };
  deleteSandboxPreviewToken: {
    path: {
      sandboxName: string;
      previewName: string;
      tokenName: string;
    };
    query: {};
    body: undefined;
    reply: Message;
  };
  listJobs: {
    path: {};
    query: {};
    body: undefined;
    reply: Resource[];
  };
  createJob: {
    path: {};
    query: {};
    body: Resource;
    reply: Resource;
  };
  getJob: {
    path: {
      jobName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  updateJob: {
    path: {
      jobName: string;
    };
    query: {};
    body: Resource;
    reply: Resource;
  };
  deleteJob: {
    path: {
      jobName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  listJobExecutionsOfJob: {
    path: {
      jobName: string;
    };
    query: {};
    body: undefined;
    reply: JobExecution[];
  };
  createExecutionOfJob: {
    path: {
      jobName: string;
    };
    query: {};
    body: JobExecutionRequest;
    reply: JobExecution;
  };
  getExecutionOfJob: {
    path: {
      jobName: string;
      executionId: string;
    };
    query: {};
    body: undefined;
    reply: JobExecution;
  };
  listVolumes: {
    path: {};
    query: {};
    body: undefined;
    reply: Volume[];
  };
  createVolume: {
    path: {};
    query: {};
    body: Volume;
    reply: Volume;
  };
  getVolume: {
    path: {
      volumeName: string;
    };
    query: {};
    body: undefined;
    reply: Volume;
  };
  updateVolume: {
    path: {
      volumeName: string;
    };
    query: {};
    body: Volume;
    reply: Volume;
  };
  deleteVolume: {
    path: {
      volumeName: string;
    };
    query: {};
    body: undefined;
    reply: Volume;
  };
  listVolumeTemplates: {
    path: {};
    query: {};
    body: undefined;
    reply: VolumeTemplate[];
  };
  createVolumeTemplate: {
    path: {};
    query: {};
    body: VolumeTemplate;
    reply: VolumeTemplate;
  };
  getVolumeTemplate: {
    path: {
      volumeTemplateName: string;
    };
    query: {};
    body: undefined;
    reply: VolumeTemplate;
  };
  updateVolumeTemplate: {
    path: {
      volumeTemplateName: string;
    };
    query: {};
    body: VolumeTemplate;
    reply: VolumeTemplate;
  };
  deleteVolumeTemplate: {
    path: {
      volumeTemplateName: string;
    };
    query: {};
    body: undefined;
    reply: VolumeTemplate;
  };
  listVolumeTemplateVersions: {
    path: {
      volumeTemplateName: string;
    };
    query: {};
    body: undefined;
    reply: VolumeTemplateVersion[];
  };
  createVolumeTemplateVersion: {
    path: {
      volumeTemplateName: string;
    };
    query: {};
    body: VolumeTemplateVersion;
    reply: VolumeTemplateVersion;
  };
  getVolumeTemplateVersion: {
    path: {
      volumeTemplateName: string;
      versionName: string;
    };
    query: {};
    body: undefined;
    reply: VolumeTemplateVersion;
  };
  deleteVolumeTemplateVersion: {
    path: {
      volumeTemplateName: string;
      versionName: string;
    };
    query: {};
    body: undefined;
    reply: VolumeTemplateVersionDeletion;
  };
  listVpcs: {
    path: {};
    query: {};
    body: undefined;
    reply: Vpc[];
  };
  createVpc: {
    path: {};
    query: {};
    body: Vpc;
    reply: Vpc;
  };
  getVpc: {
    path: {
      vpcName: string;
    };
    query: {};
    body: undefined;
    reply: Vpc;
  };
  updateVpc: {
    path: {
      vpcName: string;
    };
    query: {};
    body: Vpc;
    reply: Vpc;
  };
  deleteVpc: {
    path: {
      vpcName: string;
    };
    query: {};
    body: undefined;
    reply: Vpc;
  };
  listIntegrations: {
    path: {};
    query: {};
    body: undefined;
    reply: Integration[];
  };
  listIntegrationConnections: {
    path: {};
    query: {};
    body: undefined;
    reply: IntegrationConnection[];
  };
  createIntegrationConnection: {
    path: {};
    query: {};
    body: IntegrationConnection;
    reply: Undocumented;
  };
  getIntegrationConnection: {
    path: {
      connectionName: string;
    };
    query: {};
    body: undefined;
    reply: IntegrationConnection;
  };
  updateIntegrationConnection: {
    path: {
      connectionName: string;
    };
    query: {};
    body: IntegrationConnection;
    reply: IntegrationConnection;
  };
  deleteIntegrationConnection: {
    path: {
      connectionName: string;
    };
    query: {};
    body: undefined;
    reply: IntegrationConnection;
  };
  getIntegration: {
    path: {
      integrationName: string;
    };
    query: {};
    body: undefined;
    reply: Integration;
  };
  listCustomDomains: {
    path: {};
    query: {};
    body: undefined;
    reply: Resource[];
  };
  createCustomDomain: {
    path: {};
    query: {};
    body: Resource;
    reply: Resource;
  };
  getCustomDomain: {
    path: {
      customDomainName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  updateCustomDomain: {
    path: {
      customDomainName: string;
    };
    query: {};
    body: Resource;
    reply: Resource;
  };
  deleteCustomDomain: {
    path: {
      customDomainName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  listPolicies: {
    path: {};
    query: {};
    body: undefined;
    reply: Resource[];
  };
  createPolicy: {
    path: {};
    query: {};
    body: Resource;
    reply: Resource;
  };
  getPolicy: {
    path: {
      policyName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  updatePolicy: {
    path: {
      policyName: string;
    };
    query: {};
    body: Resource;
    reply: Resource;
  };
  deletePolicy: {
    path: {
      policyName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  listImages: {
    path: {};
    query: {};
    body: undefined;
    reply: Resource[];
  };
  createImage: {
    path: {};
    query: {};
    body: Resource;
    reply: Resource;
  };
  deleteUnusedImages: {
    path: {};
    query: {};
    body: undefined;
    reply: ImageCleanup;
  };
  getImage: {
    path: {
      imageName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  updateImage: {
    path: {
      imageName: string;
    };
    query: {};
    body: Resource;
    reply: Resource;
  };
  deleteImage: {
    path: {
      imageName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  listWorkspaces: {
    path: {};
    query: {};
    body: undefined;
    reply: Resource[];
  };
  createWorkspace: {
    path: {};
    query: {};
    body: Resource;
    reply: Resource;
  };
  getWorkspace: {
    path: {
      workspaceName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  updateWorkspace: {
    path: {
      workspaceName: string;
    };
    query: {};
    body: Resource;
    reply: Resource;
  };
  deleteWorkspace: {
    path: {
      workspaceName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  inviteToWorkspace: {
    path: {
      workspaceName: string;
      userId: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  acceptWorkspaceInvitation: {
    path: {
      workspaceName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  declineWorkspaceInvitation: {
    path: {
      workspaceName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  leaveWorkspace: {
    path: {
      workspaceName: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  listWorkspaceUsers: {
    path: {
      workspaceName: string;
    };
    query: {};
    body: undefined;
    reply: Undocumented;
  };
  removeFromWorkspace: {
    path: {
      workspaceName: string;
      userId: string;
    };
    query: {};
    body: undefined;
    reply: Resource;
  };
  listAccounts: {
    path: {};
    query: {};
    body: undefined;
    reply: Accounts;
  };
  getAccountMetrics: {
    path: {
      accountId: string;
    };
    query: {
      startTime: string;
      endTime: string;
      resolution?: Resolution;
      groupBy?: string;
      workspace?: string;
      resourceType?: string;
      resourceName?: string;
      resourceUuid?: string;
      billingDimension?: BillingDimension;
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    reply: AccountMetricsResponse;
  };
  listMetricsGroupBy: {
    path: {
      accountId: string;
    };
    query: {};
    body: undefined;
    reply: GroupByValues;
  };
  listMetricsResourceTypes: {
    path: {
      accountId: string;
    };
    query: {
      startTime: string;
      endTime: string;
    };
    body: undefined;
    reply: ResourceTypeValues;
  };
  listJobExecutions: {
    path: {
      workspace: string;
      jobName: string;
    };
    query: {};
    body: undefined;
    reply: JobExecution[];
  };
  createJobExecution: {
    path: {
      workspace: string;
      jobName: string;
    };
    query: {};
    body: JobExecutionRequest;
    reply: JobExecution;
  };
  getJobExecution: {
    path: {
      workspace: string;
      jobName: string;
      executionId: string;
    };
    query: {};
    body: undefined;
    reply: JobExecution;
  };
  authorize: {
    path: {};
    query: {
      response_type: string;
      client_id: string;
      redirect_uri?: string;
      scope?: string;
      state?: string;
      code_challenge?: string;
      code_challenge_method?: string;
      prompt?: string;
      login_hint?: string;
    };
    body: undefined;
    reply: string;
  };
  decideAuthorization: {
    path: {};
    query: {};
    body: AuthorizationDecision;
    reply: string;
  };
  requestToken: {
    path: {};
    query: {};
    body: TokenRequest;
    reply: TokenResponse;
  };
  revokeToken: {
    path: {};
    query: {};
    body: RevocationRequest;
    reply: undefined;
  };
  registerClient: {
    path: {};
    query: {};
    body: ClientRegistration;
    reply: RegisteredClient;
  };
  getKeySet: {
    path: {};
    query: {};
    body: undefined;
    reply: KeySet;
  };
  getAuthorizationServerMetadata: {
    path: {};
    query: {};
    body: undefined;
    reply: AuthorizationServerMetadata;
  };
  getOpenIdConfiguration: {
    path: {};
    query: {};
    body: undefined;
    reply: AuthorizationServerMetadata;
  };
  getProtectedResourceMetadata: {
    path: {
      path: string;
    };
    query: {};
    body: undefined;
    reply: ProtectedResourceMetadata;
  };
  queryAgent: {
    path: {
      workspace: string;
      agent: string;
    };
    query: {};
    body: AgentQuery;
    reply: AgentResponse;
  };
  queryAgentTrigger: {
    path: {
      workspace: string;
      agent: string;
      triggerPath: string;
    };
    query: {};
    body: AgentQuery;
    reply: AgentResponse | AsyncRequest;
  };
  queryModel: {
    path: {
      workspace: string;
      model: string;
    };
    query: {};
    body: ModelQuery;
    reply: ModelResponse;
  };
  createChatCompletion: {
    path: {
      workspace: string;
      model: string;
    };
    query: {};
    body: ChatCompletionRequest;
    reply: ChatCompletion;
  };
  createChatCompletionV1: {
    path: {
      workspace: string;
      model: string;
    };
    query: {};
    body: ChatCompletionRequest;
    reply: ChatCompletion;
  };
  getFunctionMcp: {
    path: {
      workspace: string;
      serverName: string;
    };
    query: {};
    body: undefined;
    reply: string;
  };
  postFunctionMcp: {
    path: {
      workspace: string;
      serverName: string;
    };
    query: {};
    body: McpMessage;
    reply: McpMessage | string | undefined;
  };
  deleteFunctionMcp: {
    path: {
      workspace: string;
      serverName: string;
    };
    query: {};
    body: undefined;
    reply: undefined;
  };
  getSandboxMcp: {
    path: {};
    query: {};
    body: undefined;
    reply: string;
  };
  postSandboxMcp: {
    path: {};
    query: {};
    body: McpMessage;
    reply: McpMessage | string | undefined;
  };
  deleteSandboxMcp: {
    path: {};
    query: {};
    body: undefined;
    reply: undefined;
  };
  getSandboxRoot: {
    path: {};
    query: {};
    body: undefined;
    reply: Undocumented;
  };
  readTree: {
    path: {
      path: string;
    };
    query: {};
    body: undefined;
    reply: Undocumented;
  };
  writeTree: {
    path: {
      path: string;
    };
    query: {};
    body: FilesToWrite;
    reply: DirectoryListing;
  };
  deleteTree: {
    path: {
      path: string;
    };
    query: {
      recursive?: boolean;
    };
    body: undefined;
    reply: Undocumented;
  };
  readFile: {
    path: {
      path: string;
    };
    query: {
      download?: boolean;
    };
    body: undefined;
    reply: Undocumented | string;
  };
  writeFile: {
    path: {
      path: string;
    };
    query: {};
    body: FileToWrite | UploadForm;
    reply: Undocumented;
  };
  deleteFile: {
    path: {
      path: string;
    };
    query: {
      recursive?: boolean;
    };
    body: undefined;
    reply: Undocumented;
  };
  listMultipartUploads: {
    path: {};
    query: {};
    body: undefined;
    reply: MultipartUploads;
  };
  initiateMultipartUpload: {
    path: {
      path: string;
    };
    query: {};
    body: Undocumented | undefined;
    reply: MultipartUpload;
  };
  uploadMultipartPart: {
    path: {
      uploadId: string;
    };
    query: {
      partNumber: number;
    };
    body: UploadForm;
    reply: Undocumented;
  };
  listMultipartParts: {
    path: {
      uploadId: string;
    };
    query: {};
    body: undefined;
    reply: Undocumented;
  };
  completeMultipartUpload: {
    path: {
      uploadId: string;
    };
    query: {};
    body: Undocumented;
    reply: Undocumented;
  };
  abortMultipartUpload: {
    path: {
      uploadId: string;
    };
    query: {};
    body: undefined;
    reply: Undocumented;
  };
  watchDirectory: {
    path: {
      path: string;
    };
    query: {};
    body: undefined;
    reply: string;
  };
  getSandboxResourceMetadata: {
    path: {
      path: string;
    };
    query: {};
    body: undefined;
    reply: ProtectedResourceMetadata;
  };
}
/**
 * A serverless deployment of an AI agent, exposed as an auto-scaling API endpoint.
 */
export interface Agent {
  metadata: Metadata;
  spec: AgentSpec;
  status?: DeploymentStatus;
  events?: CoreEvents;
}
/**
 * Name, owner and timestamps of a resource.
 */
export interface Metadata {
  /**
   * Name of the resource, 1 to 49 characters. Unique within the workspace and immutable after creation.
   */
  name: string;
  /**
   * Human-readable name, at most 63 characters. May contain spaces and special characters.
   */
  displayName?: string;
  /**
   * Free key-value pairs for organizing and filtering.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * Creation timestamp.
   */
  createdAt?: string;
  /**
   * Timestamp of the last update.
   */
  updatedAt?: string;
  /**
   * User or service account that created the resource.
   */
  createdBy?: string;
  /**
   * User or service account that last updated the resource.
   */
  updatedBy?: string;
  /**
   * Billing plan tier, inherited from the account of the workspace.
   */
  plan?: string;
  /**
   * Endpoint URL of an agent, function, model or sandbox. Generated by the server.
   */
  url?: string;
  /**
   * Workspace that the resource belongs to. Set by the server.
   */
  workspace?: string;
}
/**
 * The desired configuration of the agent.
 */
export interface AgentSpec {
  /**
   * If false, the agent does not serve inference requests.
   */
  enabled?: boolean;
  /**
   * Names of policies.
   */
  policies?: string[];
  /**
   * If true, the agent is reachable without authentication. Only available for generation mk3.
   */
  public?: boolean;
  /**
   * Region where the agent is deployed. Required if volumes are attached.
   */
  region?: string;
  repository?: Repository;
  revision?: RevisionConfiguration;
  runtime?: AgentRuntime;
  /**
   * Triggers of the agent.
   */
  triggers?: Trigger[];
  /**
   * Volumes to mount. They must exist in the same workspace and region.
   */
  volumes?: VolumeAttachment[];
}
/**
 * The repository of the agent.
 */
export interface Repository {
  /**
   * Repository kind.
   */
  type?: string;
  /**
   * Repository URL.
   */
  url?: string;
}
/**
 * Distribution of traffic over revisions.
 */
export interface RevisionConfiguration {
  /**
   * Id of the active revision.
   */
  active?: string;
  /**
   * Id of the canary revision.
   */
  canary?: string;
  /**
   * Percentage of the canary revision.
   */
  canaryPercent?: number;
  /**
   * Lifetime of a sticky session in seconds. 0 means disabled.
   */
  stickySessionTtl?: number;
  /**
   * Traffic percentage.
   */
  traffic?: number;
}
/**
 * Runtime settings of the agent.
 */
export interface AgentRuntime {
  /**
   * Environment variables injected into the agent.
   */
  envs?: Env[];
  /**
   * `mk2`: containers, 2-10 s cold starts, 15+ global regions. `mk3`: microVMs, sub-25 ms cold starts.
   */
  generation?: 'mk2' | 'mk3';
  /**
   * Container image built by the deploy tooling. Populated automatically at deployment.
   */
  image?: string;
  /**
   * Maximum number of concurrent instances.
   */
  maxScale?: number;
  /**
   * Memory in megabytes. Also sets the CPU: cores = memory in MB / 2048.
   */
  memory?: number;
  /**
   * Number of instances kept warm. 0 means scale-to-zero; 1 or more removes cold starts.
   */
  minScale?: number;
}
/**
 * An environment variable, in a container-orchestration format that also supports valueFrom references.
 */
export interface Env {
  /**
   * Name of the variable.
   */
  name?: string;
  /**
   * Value of the variable.
   */
  value?: string;
  /**
   * Whether the value is a secret.
   */
  secret?: boolean;
  /**
   * A reference to the value. Its form is not documented.
   */
  valueFrom?: unknown;
}
/**
 * A trigger of the agent.
 */
export interface Trigger {
  /**
   * Id of the trigger. The server generates a unique one if absent, and disambiguates duplicates within a resource.
   */
  id?: string;
  /**
   * Kind of trigger.
   */
  type?: 'http' | 'http-async' | 'cron';
  /**
   * Whether the trigger is enabled.
   */
  enabled?: boolean;
  configuration?: TriggerConfiguration;
}
/**
 * Settings of the trigger.
 */
export interface TriggerConfiguration {
  /**
   * Authentication type of the trigger.
   */
  authenticationType?: string;
  /**
   * Secret of the callbacks of an async trigger. Generated by the server and encrypted.
   */
  callbackSecret?: string;
  /**
   * Callback URL of an async trigger.
   */
  callbackUrl?: string;
  /**
   * Path of the trigger.
   */
  path?: string;
  /**
   * Retry setting of the trigger.
   */
  retry?: number;
  /**
   * Cron expression with five fields.
   */
  schedule?: string;
  /**
   * Tasks of the cron job.
   */
  tasks?: TriggerConfigurationTask[];
  /**
   * Timeout of an async trigger in seconds, at most 900. Generation mk3 only.
   */
  timeout?: number;
}
/**
 * A volume mounted into the agent.
 */
export interface VolumeAttachment {
  /**
   * Name of the volume. It must exist in the same workspace and region.
   */
  name?: string;
  /**
   * Absolute filesystem path of the mount.
   */
  mountPath?: string;
  /**
   * Whether the volume is mounted read-only.
   */
  readOnly?: boolean;
}
/**
 * An event of a deployment of the resource.
 */
export interface CoreEvent {
  /**
   * Kind of event. The allowed values are not documented.
   */
  type?: string;
  /**
   * Status reported by the event.
   */
  status?: string;
  /**
   * Message of the event.
   */
  message?: string;
  /**
   * Revision id.
   */
  revision?: string;
  /**
   * Canary revision id.
   */
  canaryRevision?: string;
  /**
   * Timestamp of the event.
   */
  time?: string;
}
/**
 * A function (MCP server) as used with a connection. Its other fields are not documented.
 */
export interface McpFunction {
  metadata: Metadata;
  spec: FunctionSpec;
  status?: DeploymentStatus;
  events?: CoreEvents;
  [k: string]: unknown;
}
/**
 * The desired configuration of the function. Its other fields are not documented.
 */
export interface FunctionSpec {
  /**
   * Type: `mcp` for a function that is bound to a connection.
   */
  type?: string;
  /**
   * Names of integration connections.
   */
  integrationConnections?: string[];
  /**
   * The runtime of the function. Its other fields are not documented.
   */
  runtime?: {
    /**
     * Type: `mcp` for a function that is bound to a connection.
     */
    type?: string;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * A resource whose spec is not documented.
 */
export interface Resource {
  metadata: Metadata;
  /**
   * The spec. Its fields are not documented.
   */
  spec: Record<string, unknown>;
  status?: DeploymentStatus;
  events?: CoreEvents;
}
/**
 * A preview token to create. It has a name like every resource; its other fields are not documented.
 */
export interface PreviewTokenToWrite {
  metadata: Metadata;
  /**
   * The spec. Its fields are not documented.
   */
  spec?: Record<string, unknown>;
  [k: string]: unknown;
}
/**
 * A message about the completed operation.
 */
export interface Message {
  /**
   * Human-readable message.
   */
  message: string;
}
/**
 * A request to execute a job.
 */
export interface JobExecutionRequest {
  /**
   * One object of arbitrary arguments per task.
   */
  tasks: {
    [k: string]: unknown;
  }[];
}
/**
 * A volume. It belongs to one region; the other fields of its spec are not documented.
 */
export interface Volume {
  metadata: Metadata;
  /**
   * The spec. Its other fields are not documented.
   */
  spec: {
    /**
     * Region of the volume.
     */
    region?: string;
    [k: string]: unknown;
  };
  status?: DeploymentStatus;
  events?: CoreEvents;
}
/**
 * A versioned template for volumes.
 */
export interface VolumeTemplate {
  metadata: Metadata;
  /**
   * The desired configuration of the template.
   */
  spec: {
    /**
     * Default size of a volume created from the template. The unit is not documented.
     */
    defaultSize?: number;
    /**
     * Description of the template.
     */
    description?: string;
  };
  /**
   * The current state of the template.
   */
  state?: {
    /**
     * Time of the last upload of a version.
     */
    lastVersionUploadedAt?: string;
    /**
     * Name of the latest version.
     */
    latestVersion?: string;
    /**
     * Number of versions.
     */
    versionCount?: number;
  };
  /**
   * The versions of the template.
   */
  versions?: VolumeTemplateVersion[];
}
/**
 * One version of a volume template.
 */
export interface VolumeTemplateVersion {
  /**
   * Bucket of the version.
   */
  bucket?: string;
  /**
   * Size of the content. The unit is not documented.
   */
  contentSize?: number;
  /**
   * Name of the version.
   */
  name?: string;
  /**
   * Region of the version.
   */
  region?: string;
  /**
   * Name of the template that the version belongs to.
   */
  templateName?: string;
  /**
   * Id of the version.
   */
  versionId?: string;
  /**
   * Workspace of the version.
   */
  workspace?: string;
}
/**
 * Result of deleting a version of a volume template.
 */
export interface VolumeTemplateVersionDeletion {
  /**
   * Human-readable message.
   */
  message: string;
  template: VolumeTemplate;
}
/**
 * Virtual private cloud scoped to a workspace, for network isolation and dedicated egress.
 */
export interface Vpc {
  metadata: Metadata;
  /**
   * The spec. Its fields are not documented.
   */
  spec: Record<string, unknown>;
  status?: DeploymentStatus;
  events?: CoreEvents;
}
/**
 * Provider info of an integration: endpoints, authentication methods, supported features.
 */
export interface Integration {
  /**
   * Name of the integration.
   */
  name?: string;
  /**
   * Additional information. Its keys are not documented.
   */
  additionalInfos?: Record<string, unknown>;
  /**
   * Endpoints of the provider. The keys are not documented.
   */
  endpoints?: Record<string, unknown>;
  /**
   * Headers. The keys are not documented.
   */
  headers?: Record<string, unknown>;
  /**
   * Parameters. The keys are not documented.
   */
  params?: Record<string, unknown>;
  /**
   * Organizations at the provider.
   */
  organizations?: IntegrationOrganization[];
  /**
   * Repositories at the provider.
   */
  repositories?: IntegrationRepository[];
}
/**
 * An organization at the provider.
 */
export interface IntegrationOrganization {
  /**
   * URL of the avatar.
   */
  avatar_url?: string;
  /**
   * Display name of the organization.
   */
  displayName?: string;
  /**
   * Id of the organization.
   */
  id?: string;
  /**
   * Name of the organization.
   */
  name?: string;
}
/**
 * A repository at the provider.
 */
export interface IntegrationRepository {
  /**
   * Id of the repository.
   */
  id?: string;
  /**
   * A flag whose meaning is not documented.
   */
  isBl?: boolean;
  /**
   * Name of the repository.
   */
  name?: string;
  /**
   * Organization of the repository.
   */
  organization?: string;
  /**
   * URL of the repository.
   */
  url?: string;
}
/**
 * Stored third-party credentials that a function can be bound to. Its other fields are not documented.
 */
export interface IntegrationConnection {
  metadata: Metadata;
  spec: IntegrationConnectionSpec;
  status?: DeploymentStatus;
  events?: CoreEvents;
  [k: string]: unknown;
}
/**
 * The integration and its credentials. Other fields are not documented.
 */
export interface IntegrationConnectionSpec {
  /**
   * Name of the integration.
   */
  integration?: string;
  /**
   * Credentials by key. For an OAuth-based mail integration the keys are `CLIENT_ID`, `CLIENT_SECRET` and `REFRESH_TOKEN`, all required.
   */
  secret?: {
    [k: string]: string;
  };
  [k: string]: unknown;
}
/**
 * Result of an image cleanup.
 */
export interface ImageCleanup {
  /**
   * Number of deleted images. Not negative.
   */
  deleted: number;
  /**
   * Human-readable message.
   */
  message: string;
}
/**
 * Cost and usage of an account over a window.
 */
export interface AccountMetricsResponse {
  startTime: Instant;
  endTime: Instant;
  resolution: Resolution;
  /**
   * Totals of the whole window.
   */
  summary: {
    /**
     * Cost in USD across the whole window. The sum of all group costs in `data`.
     */
    totalCost: number;
    /**
     * Usage across the whole window. Present only if groupBy includes `billing_dimension`.
     */
    totalUsage?: number;
  };
  /**
   * One entry per group, or a single aggregated entry if groupBy is absent.
   */
  data: AccountMetricsDataEntry[];
  /**
   * Pagination.
   */
  meta: {
    /**
     * Whether a next page can be requested with `nextCursor`.
     */
    hasMore: boolean;
    /**
     * Opaque cursor of the next page. Empty if `hasMore` is false.
     */
    nextCursor: string;
  };
}
/**
 * Cost and usage of one group.
 */
export interface AccountMetricsDataEntry {
  /**
   * Name of the workspace. Present if groupBy includes `workspace`, `resource_uuid` or `resource_name`.
   */
  workspace?: string;
  /**
   * Resource type. Present if groupBy includes `resource_type`, `resource_uuid`, `resource_name` or `billing_dimension`.
   */
  resourceType?: string;
  /**
   * Name of the resource. Present if groupBy includes `resource_name` or `resource_uuid`.
   */
  resourceName?: string;
  /**
   * Instance id. Present if groupBy includes `resource_uuid`; not every resource type has one.
   */
  resourceUuid?: string;
  billingDimension?: BillingDimension;
  /**
   * Totals of the group.
   */
  summary: {
    /**
     * Cost of the group in USD.
     */
    cost: number;
    /**
     * Usage in the unit of the billing dimension. Present only if groupBy includes `billing_dimension`.
     */
    usage?: number;
  };
  /**
   * One item per bucket of the window, including buckets without activity.
   */
  timeseries: AccountMetricsPoint[];
}
/**
 * A bucket. Its cost is 0 if there was no activity.
 */
export interface AccountMetricsPoint {
  timestamp: Instant;
  /**
   * Cost of the bucket in USD.
   */
  cost: number;
  /**
   * Usage in the unit of the billing dimension. Present only if groupBy includes `billing_dimension`.
   */
  usage?: number;
}
/**
 * Every valid groupBy value.
 */
export interface GroupByValues {
  /**
   * The values.
   */
  values: GroupByDimension[];
}
/**
 * The resource types with at least one metric event in the window.
 */
export interface ResourceTypeValues {
  /**
   * The resource types.
   */
  values: string[];
}
/**
 * An authorization request with the user's decision.
 */
export interface AuthorizationDecision {
  /**
   * The response type: `code`.
   */
  response_type?: string;
  /**
   * The client identifier.
   */
  client_id?: string;
  /**
   * A registered redirection URI.
   */
  redirect_uri?: string;
  /**
   * Requested scopes, separated by spaces.
   */
  scope?: string;
  /**
   * Opaque value of the client that is returned unchanged.
   */
  state?: string;
  /**
   * Login name of the user.
   */
  login_hint?: string;
  /**
   * The decision: `allow` or `deny`.
   */
  decision?: string;
  [k: string]: unknown;
}
/**
 * Parameters of a token request.
 */
export interface TokenRequest {
  /**
   * Grant type: `authorization_code`, `client_credentials` or `refresh_token`.
   */
  grant_type?: string;
  /**
   * The authorization code.
   */
  code?: string;
  /**
   * The redirection URI of the authorization request.
   */
  redirect_uri?: string;
  /**
   * The client identifier.
   */
  client_id?: string;
  /**
   * The client secret, unless it is sent with HTTP Basic.
   */
  client_secret?: string;
  /**
   * Requested scopes, separated by spaces.
   */
  scope?: string;
  /**
   * PKCE code verifier (RFC 7636 section 4.5).
   */
  code_verifier?: string;
  /**
   * Refresh token of an earlier response.
   */
  refresh_token?: string;
  [k: string]: unknown;
}
/**
 * An access token.
 */
export interface TokenResponse {
  /**
   * The access token; a JWT.
   */
  access_token: string;
  /**
   * Token type: `Bearer`, case-insensitive.
   */
  token_type: string;
  /**
   * Lifetime of the access token in seconds.
   */
  expires_in?: number;
  /**
   * Refresh token, if one is issued.
   */
  refresh_token?: string;
  /**
   * Scopes of the token, separated by spaces.
   */
  scope?: string;
  [k: string]: unknown;
}
/**
 * Parameters of a revocation request.
 */
export interface RevocationRequest {
  /**
   * The access token or refresh token.
   */
  token?: string;
  /**
   * Hint about the type of the token: `access_token` or `refresh_token`.
   */
  token_type_hint?: string;
  /**
   * The client identifier.
   */
  client_id?: string;
  /**
   * The client secret, unless it is sent with HTTP Basic.
   */
  client_secret?: string;
  [k: string]: unknown;
}
/**
 * A client to register. Other members are ignored.
 */
export interface ClientRegistration {
  /**
   * Redirection URIs, which must match exactly.
   */
  redirect_uris: string[];
  /**
   * Name that the authorization page displays.
   */
  client_name?: string;
  /**
   * Client authentication: `client_secret_basic`, `client_secret_post` or `none`.
   */
  token_endpoint_auth_method?: string;
  /**
   * Scopes that the client may request, separated by spaces.
   */
  scope?: string;
  [k: string]: unknown;
}
/**
 * A registered client.
 */
export interface RegisteredClient {
  /**
   * The client identifier.
   */
  client_id: string;
  /**
   * Time of the registration, in seconds since 1970.
   */
  client_id_issued_at?: number;
  /**
   * The client secret, unless the client is public.
   */
  client_secret?: string;
  /**
   * 0: the secret does not expire.
   */
  client_secret_expires_at?: number;
  /**
   * Redirection URIs, which must match exactly.
   */
  redirect_uris: string[];
  /**
   * Name that the authorization page displays.
   */
  client_name?: string;
  /**
   * Client authentication: `client_secret_basic`, `client_secret_post` or `none`.
   */
  token_endpoint_auth_method?: string;
  /**
   * Scopes that the client may request, separated by spaces.
   */
  scope?: string;
  /**
   * Grant types of the client.
   */
  grant_types?: string[];
  /**
   * Response types of the client.
   */
  response_types?: string[];
  [k: string]: unknown;
}
/**
 * A JSON Web Key Set.
 */
export interface KeySet {
  /**
   * The public keys.
   *
   * Items: A public key.
   */
  keys: Record<string, unknown>[];
  [k: string]: unknown;
}
/**
 * Metadata of the authorization server.
 */
export interface AuthorizationServerMetadata {
  /**
   * Issuer identifier, the `iss` of its tokens and responses.
   */
  issuer: string;
  /**
   * URL of the authorization endpoint.
   */
  authorization_endpoint: string;
  /**
   * URL of the token endpoint.
   */
  token_endpoint: string;
  /**
   * Supported response types.
   */
  response_types_supported: string[];
  [k: string]: unknown;
}
/**
 * Metadata of a protected resource.
 */
export interface ProtectedResourceMetadata {
  /**
   * URL of the resource.
   */
  resource: string;
  /**
   * Issuer identifiers of the authorization servers that issue tokens for the resource.
   */
  authorization_servers: string[];
  /**
   * Ways to send a token: `header`.
   */
  bearer_methods_supported?: string[];
  [k: string]: unknown;
}
/**
 * A request to an agent.
 */
export interface AgentQuery {
  /**
   * The inputs for the agent.
   */
  inputs: string;
}
/**
 * A conversation to complete.
 */
export interface ChatCompletionRequest {
  /**
   * The messages of the conversation in order.
   */
  messages: ChatMessage[];
}
/**
 * A message of a conversation.
 */
export interface ChatMessage {
  /**
   * Role of the author. The allowed values are not documented.
   */
  role: string;
  /**
   * Content of the message, a string. Other forms of the OpenAI protocol are not documented.
   */
  content?: string | unknown;
}
/**
 * Files to create or update under a directory.
 */
export interface FilesToWrite {
  /**
   * Maps file paths to file contents.
   */
  files: {
    [k: string]: string;
  };
}
/**
 * The content of a directory.
 */
export interface DirectoryListing {
  /**
   * Name of the directory.
   */
  name?: string;
  /**
   * Path of the directory.
   */
  path?: string;
  /**
   * Files directly in the directory.
   */
  files?: FileEntry[];
  /**
   * Directories directly in the directory.
   */
  subdirectories?: SubdirectoryEntry[];
}
/**
 * A file in a directory.
 */
export interface FileEntry {
  /**
   * Owning group.
   */
  group: string;
  /**
   * Time of the last modification. The format is not documented.
   */
  lastModified: string;
  /**
   * Name of the file.
   */
  name: string;
  /**
   * Owning user.
   */
  owner: string;
  /**
   * Path of the file.
   */
  path: string;
  /**
   * Permissions. The format is not documented.
   */
  permissions: string;
  /**
   * Length of the content in bytes.
   */
  size: number;
}
/**
 * A subdirectory of a directory.
 */
export interface SubdirectoryEntry {
  /**
   * Name of the directory.
   */
  name: string;
  /**
   * Path of the directory.
   */
  path: string;
}
/**
 * A file or directory to write. The fields are not documented.
 */
export interface FileToWrite {
  /**
   * Content of the file.
   */
  content?: string;
  /**
   * Whether to create a directory instead of a file.
   */
  isDirectory?: boolean;
  /**
   * Permissions in octal, such as `0644`.
   */
  permissions?: string;
  [k: string]: unknown;
}
/**
 * A form with a file. The other fields are not documented.
 */
export interface UploadForm {
  /**
   * The bytes of the file.
   */
  file: string;
  [k: string]: unknown;
}
/**
 * All active multipart uploads.
 */
export interface MultipartUploads {
  /**
   * The active uploads.
   */
  uploads: MultipartUpload[];
}
/**
 * An active multipart upload.
 */
export interface MultipartUpload {
  /**
   * Id of the upload.
   */
  uploadId: string;
  /**
   * Path of the target file.
   */
  path?: string;
  /**
   * File mode of the target file.
   */
  permissions?: number;
  /**
   * Time at which the upload was started.
   */
  initiatedAt?: string;
  /**
   * The uploaded parts. The content is not documented.
   */
  parts?: Record<string, unknown>;
}
/**
 * Error body of the management API.
 */
export interface ErrorBody {
  /**
   * Kind of error.
   */
  error: string;
  /**
   * HTTP status code.
   */
  code?: number;
  /**
   * Human-readable message.
   */
  message?: string;
}
/**
 * The version header has a value that is not listed.
 */
export interface VersionError {
  /**
   * Kind of error.
   */
  error: 'invalid_api_version';
  /**
   * Names the unknown version and the valid versions.
   */
  message: string;
}
/**
 * A caller without the account-admin role used `workspace=` or `groupBy=workspace`.
 */
export interface AccessDenied {
  /**
   * Human-readable message.
   */
  message: 'Access denied';
}
/**
 * Error response of the token endpoint.
 */
export interface OAuthError {
  /**
   * Error code.
   */
  error: string;
  /**
   * Human-readable explanation.
   */
  error_description?: string;
  /**
   * URI of a page about the error.
   */
  error_uri?: string;
  [k: string]: unknown;
}
/**
 * Error body of the sandbox API.
 */
export interface SandboxError {
  /**
   * Description of the error.
   */
  error: string;
}

export type OperationId = keyof Operations;
