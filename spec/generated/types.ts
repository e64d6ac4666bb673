/** Types of the OpenAPI documents. Written by `npm run documents`; change the documents instead. */

/**
 * A task of a cron job. Its fields are not shown.
 */
export type TriggerConfigurationTask = Record<string, unknown>;
/**
 * Deployment status of a resource. How one follows another is not shown.
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
 * Records of what deployments of the resource did.
 */
export type CoreEvents = CoreEvent[];
/**
 * Not shown.
 */
export type NotShown = unknown;
/**
 * A token of a sandbox preview. Its fields are not shown.
 */
export type PreviewToken = Record<string, unknown>;
/**
 * An execution of a job. Its shape is not shown.
 */
export type JobExecution = unknown;
/**
 * The accounts of the caller; the account identifier is read from it. Its shape is not shown.
 */
export type Accounts = unknown;
/**
 * Size of a bucket. Windows are capped: `hourly` at 7 days, `daily` at 90 days, `weekly` at 1 year, `monthly` not at all. Picked by the window's length when left out: under 7 days `hourly`, under 90 days `daily`, under 1 year `weekly`, else `monthly`.
 */
export type Resolution = 'hourly' | 'daily' | 'weekly' | 'monthly';
/**
 * What is metered. Each dimension belongs to one resource type and has one unit: `gbs` are GB-seconds, `count` discrete events, `hours` active hours.
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
 * A timestamp as RFC 3339 writes it.
 */
export type Instant = string;
/**
 * What cost and usage can be grouped by.
 */
export type GroupByDimension = 'workspace' | 'resource_type' | 'resource_name' | 'resource_uuid' | 'billing_dimension';
/**
 * What the agent answered. Its shape is not shown.
 */
export type AgentAnswer = unknown;
/**
 * A request that is accepted. Its shape is not shown.
 */
export type AsyncRequest = unknown;
/**
 * Model-specific.
 */
export type ModelQuery = unknown;
/**
 * What the model answered. Its shape is not shown.
 */
export type ModelAnswer = unknown;
/**
 * The completion. Its shape is not shown.
 */
export type ChatCompletion = unknown;
/**
 * An MCP message of the streamable HTTP transport. Its content is not shown.
 */
export type McpMessage = unknown;
/**
 * What a credential may do.
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
 * The version is unknown, or another error whose body is not shown.
 */
export type BadRequest = VersionError | unknown;
/**
 * The account-admin role is missing, or another error whose body is not shown.
 */
export type MetricsForbidden = AccessDenied | unknown;

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
    reply: NotShown;
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
    reply: NotShown;
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
      response_type?: string;
      client_id?: string;
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
  queryAgent: {
    path: {
      workspace: string;
      agent: string;
    };
    query: {};
    body: AgentQuery;
    reply: AgentAnswer;
  };
  queryAgentTrigger: {
    path: {
      workspace: string;
      agent: string;
      triggerPath: string;
    };
    query: {};
    body: AgentQuery;
    reply: AgentAnswer | AsyncRequest;
  };
  queryModel: {
    path: {
      workspace: string;
      model: string;
    };
    query: {};
    body: ModelQuery;
    reply: ModelAnswer;
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
    reply: NotShown;
  };
  readTree: {
    path: {
      path: string;
    };
    query: {};
    body: undefined;
    reply: NotShown;
  };
  writeTree: {
    path: {
      path: string;
    };
    query: {};
    body: FilesToWrite;
    reply: DirectoryListing;
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
    body: NotShown | undefined;
    reply: MultipartUpload;
  };
  uploadMultipartPart: {
    path: {
      uploadId: string;
    };
    query: {
      partNumber: number;
    };
    body: string;
    reply: NotShown;
  };
  completeMultipartUpload: {
    path: {
      uploadId: string;
    };
    query: {};
    body: NotShown | undefined;
    reply: NotShown;
  };
  abortMultipartUpload: {
    path: {
      uploadId: string;
    };
    query: {};
    body: undefined;
    reply: NotShown;
  };
  watchDirectory: {
    path: {
      path: string;
    };
    query: {};
    body: undefined;
    reply: string;
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
 * Who a resource is and where it belongs.
 */
export interface Metadata {
  /**
   * Unique within the workspace. Immutable after creation.
   */
  name: string;
  /**
   * Human-readable; may contain spaces and special characters.
   */
  displayName?: string;
  /**
   * Free key-value pairs for organizing and filtering.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * Timestamp of the creation.
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
   * Auto-generated endpoint URL (agents, functions, models, sandboxes).
   */
  url?: string;
  /**
   * Workspace the resource belongs to, set automatically.
   */
  workspace?: string;
}
/**
 * What the agent should be.
 */
export interface AgentSpec {
  /**
   * When false the agent does not serve inference requests.
   */
  enabled?: boolean;
  /**
   * Policy names.
   */
  policies?: string[];
  /**
   * When true the agent is reachable without authentication. Only available for generation mk3.
   */
  public?: boolean;
  /**
   * Region where the agent is deployed. Required when volumes are attached.
   */
  region?: string;
  repository?: Repository;
  revision?: RevisionConfiguration;
  runtime?: AgentRuntime;
  /**
   * What calls the agent.
   */
  triggers?: Trigger[];
  /**
   * Volumes to mount. They must exist in the same workspace and region.
   */
  volumes?: VolumeAttachment[];
}
/**
 * Where the source code of the agent is.
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
 * Which revisions take the traffic.
 */
export interface RevisionConfiguration {
  /**
   * Active revision id.
   */
  active?: string;
  /**
   * Canary revision id.
   */
  canary?: string;
  /**
   * Canary revision percent.
   */
  canaryPercent?: number;
  /**
   * Seconds; 0 means disabled.
   */
  stickySessionTtl?: number;
  /**
   * Traffic percentage.
   */
  traffic?: number;
}
/**
 * What the agent runs on.
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
   * Container image built by the deploy tooling; auto-populated at deployment.
   */
  image?: string;
  /**
   * Maximum number of concurrent instances.
   */
  maxScale?: number;
  /**
   * Megabytes. Also sets CPU: cores = memory in MB / 2048.
   */
  memory?: number;
  /**
   * Instances kept warm. 0 is scale-to-zero; 1 or more removes cold starts.
   */
  minScale?: number;
}
/**
 * An environment variable, in a container-orchestration format that knows valueFrom references too.
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
   * A reference to the value. Its form is not shown.
   */
  valueFrom?: unknown;
}
/**
 * What calls the agent.
 */
export interface Trigger {
  /**
   * The server generates a unique id when absent and disambiguates duplicates within a resource.
   */
  id?: string;
  /**
   * Kind of trigger.
   */
  type?: 'http' | 'http-async' | 'cron';
  /**
   * Whether the trigger fires.
   */
  enabled?: boolean;
  configuration?: TriggerConfiguration;
}
/**
 * How the trigger calls.
 */
export interface TriggerConfiguration {
  /**
   * Authentication type of the trigger.
   */
  authenticationType?: string;
  /**
   * Auto-generated, encrypted; for async triggers.
   */
  callbackSecret?: string;
  /**
   * For async triggers.
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
   * Seconds, for async triggers; mk3 only.
   */
  timeout?: number;
}
/**
 * A volume and where it is mounted.
 */
export interface VolumeAttachment {
  /**
   * Name of the volume; must exist in the same workspace and region.
   */
  name?: string;
  /**
   * Absolute filesystem path of the mount.
   */
  mountPath?: string;
  /**
   * When true the volume is mounted read-only.
   */
  readOnly?: boolean;
}
/**
 * One record of what a deployment of the resource did.
 */
export interface CoreEvent {
  /**
   * Kind of event. The allowed values are not shown.
   */
  type?: string;
  /**
   * Status that the event is about.
   */
  status?: string;
  /**
   * What happened.
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
 * A function (MCP server), as used with a connection. Its other fields are not shown.
 */
export interface McpFunction {
  metadata: Metadata;
  spec: FunctionSpec;
  status?: DeploymentStatus;
  events?: CoreEvents;
  [k: string]: unknown;
}
/**
 * What the function should be. Its other fields are not shown.
 */
export interface FunctionSpec {
  /**
   * `mcp` for a function that is bound to a connection.
   */
  type?: string;
  /**
   * Names of integration connections.
   */
  integrationConnections?: string[];
  /**
   * What the function runs on. Its other fields are not shown.
   */
  runtime?: {
    /**
     * `mcp` for a function that is bound to a connection.
     */
    type?: string;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * A resource of a kind whose spec the interface does not show.
 */
export interface Resource {
  metadata: Metadata;
  /**
   * Fields of the spec are not shown.
   */
  spec: Record<string, unknown>;
  status?: DeploymentStatus;
  events?: CoreEvents;
}
/**
 * A token to be made. Its fields are not shown; it is named as every resource is.
 */
export interface PreviewTokenToWrite {
  metadata: Metadata;
  spec?: Record<string, unknown>;
  [k: string]: unknown;
}
/**
 * What was done, in words.
 */
export interface Message {
  message: string;
}
/**
 * What a job should run, task by task.
 */
export interface JobExecutionRequest {
  /**
   * One object a task, holding arbitrary task arguments.
   */
  tasks: {
    [k: string]: unknown;
  }[];
}
/**
 * A volume. It is in one region; the other fields of its spec are not shown.
 */
export interface Volume {
  metadata: Metadata;
  /**
   * Other fields are not shown.
   */
  spec: {
    /**
     * Region that the volume is in.
     */
    region?: string;
    [k: string]: unknown;
  };
  status?: DeploymentStatus;
  events?: CoreEvents;
}
/**
 * What volumes are made from, in versions.
 */
export interface VolumeTemplate {
  metadata: Metadata;
  /**
   * What the template should be.
   */
  spec: {
    /**
     * Default size of a volume made from the template.
     */
    defaultSize?: number;
    /**
     * What the template is for.
     */
    description?: string;
  };
  /**
   * What the template has come to.
   */
  state?: {
    /**
     * When the last version was uploaded.
     */
    lastVersionUploadedAt?: string;
    /**
     * The latest version.
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
  bucket?: string;
  contentSize?: number;
  name?: string;
  region?: string;
  /**
   * Name of the template that the version belongs to.
   */
  templateName?: string;
  versionId?: string;
  workspace?: string;
}
/**
 * What became of the template when one of its versions was deleted.
 */
export interface VolumeTemplateVersionDeletion {
  message: string;
  template: VolumeTemplate;
}
/**
 * Virtual private cloud scoped to a workspace, for network isolation and dedicated egress.
 */
export interface Vpc {
  metadata: Metadata;
  /**
   * Fields of the VPC spec are not shown.
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
   * Inner keys are not shown.
   */
  additionalInfos?: Record<string, unknown>;
  /**
   * Inner keys are not shown.
   */
  endpoints?: Record<string, unknown>;
  /**
   * Inner keys are not shown.
   */
  headers?: Record<string, unknown>;
  /**
   * Inner keys are not shown.
   */
  params?: Record<string, unknown>;
  organizations?: IntegrationOrganization[];
  repositories?: IntegrationRepository[];
}
/**
 * An organization at the provider.
 */
export interface IntegrationOrganization {
  avatar_url?: string;
  displayName?: string;
  id?: string;
  name?: string;
}
/**
 * A repository at the provider.
 */
export interface IntegrationRepository {
  id?: string;
  isBl?: boolean;
  name?: string;
  organization?: string;
  url?: string;
}
/**
 * Stored third-party credentials that a function can be bound to. Its other fields are not shown.
 */
export interface IntegrationConnection {
  metadata: Metadata;
  spec: IntegrationConnectionSpec;
  status?: DeploymentStatus;
  events?: CoreEvents;
  [k: string]: unknown;
}
/**
 * The integration and its credentials. Other fields are not shown.
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
   * Number of images removed.
   */
  deleted: number;
  message: string;
}
/**
 * Cost, and usage where it has one unit, of an account over a window.
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
     * USD across the whole window; sum of all group costs in `data`.
     */
    totalCost: number;
    /**
     * Only present when `billing_dimension` is among the requested groupBy dimensions.
     */
    totalUsage?: number;
  };
  /**
   * One entry a group; a single aggregated entry when groupBy is absent.
   */
  data: AccountMetricsDataEntry[];
  /**
   * Where the next page is.
   */
  meta: {
    /**
     * Whether a next page can be requested with `nextCursor`.
     */
    hasMore: boolean;
    /**
     * Opaque. Empty when hasMore is false.
     */
    nextCursor: string;
  };
}
/**
 * One group.
 */
export interface AccountMetricsDataEntry {
  /**
   * With `workspace`, `resource_uuid` or `resource_name` in groupBy.
   */
  workspace?: string;
  /**
   * With `resource_type`, `resource_uuid`, `resource_name` or `billing_dimension` in groupBy.
   */
  resourceType?: string;
  /**
   * With `resource_name` or `resource_uuid` in groupBy.
   */
  resourceName?: string;
  /**
   * With `resource_uuid` in groupBy. Not every resource type has one.
   */
  resourceUuid?: string;
  billingDimension?: BillingDimension;
  /**
   * Totals of the group.
   */
  summary: {
    /**
     * USD for the group.
     */
    cost: number;
    /**
     * Only with `billing_dimension` in groupBy; in the unit of the dimension.
     */
    usage?: number;
  };
  /**
   * One item per bucket of the window.
   */
  timeseries: AccountMetricsPoint[];
}
/**
 * One bucket. Without activity its cost is 0.
 */
export interface AccountMetricsPoint {
  timestamp: Instant;
  /**
   * USD in the bucket.
   */
  cost: number;
  /**
   * Only with `billing_dimension` in groupBy; in the unit of the dimension.
   */
  usage?: number;
}
/**
 * Every valid groupBy value.
 */
export interface GroupByValues {
  values: GroupByDimension[];
}
/**
 * The resource types with at least one metric event in the window.
 */
export interface ResourceTypeValues {
  values: string[];
}
/**
 * An authorization request with the decision of a person.
 */
export interface AuthorizationDecision {
  /**
   * `code`.
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
   * Scopes, separated by spaces.
   */
  scope?: string;
  /**
   * Comes back unchanged.
   */
  state?: string;
  /**
   * Who decided.
   */
  login_hint?: string;
  /**
   * `allow` or `deny`.
   */
  decision?: string;
  [k: string]: unknown;
}
/**
 * Parameters of a token request.
 */
export interface TokenRequest {
  /**
   * `authorization_code`, `client_credentials` or `refresh_token`.
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
   * The client secret, where it is not sent by HTTP Basic.
   */
  client_secret?: string;
  /**
   * Scopes asked for, separated by spaces.
   */
  scope?: string;
  /**
   * What the code challenge was made from (RFC 7636 4.5).
   */
  code_verifier?: string;
  /**
   * What an earlier answer gave to come back with.
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
   * `Bearer`, in any letter case.
   */
  token_type: string;
  /**
   * Lifetime of the token.
   */
  expires_in?: number;
  /**
   * What the next token can be had for, where there is one.
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
   * `access_token` or `refresh_token`; a hint only.
   */
  token_type_hint?: string;
  /**
   * The client identifier.
   */
  client_id?: string;
  /**
   * The client secret, where it is not sent by HTTP Basic.
   */
  client_secret?: string;
  [k: string]: unknown;
}
/**
 * Public keys.
 */
export interface KeySet {
  /**
   * The keys.
   *
   * Items: A public key.
   */
  keys: Record<string, unknown>[];
  [k: string]: unknown;
}
/**
 * What an authorization server offers, and where.
 */
export interface AuthorizationServerMetadata {
  /**
   * The `iss` of its tokens and answers.
   */
  issuer: string;
  /**
   * Where codes are asked for.
   */
  authorization_endpoint: string;
  /**
   * Where tokens are asked for.
   */
  token_endpoint: string;
  /**
   * What may be asked for: codes.
   */
  response_types_supported: string[];
  [k: string]: unknown;
}
/**
 * What is asked of an agent.
 */
export interface AgentQuery {
  /**
   * The question.
   */
  inputs: string;
}
/**
 * A conversation to complete.
 */
export interface ChatCompletionRequest {
  messages: ChatMessage[];
}
/**
 * One turn of a conversation.
 */
export interface ChatMessage {
  role: string;
  /**
   * The interface shows a text. What else the OpenAI protocol allows is not shown, nor when it may be left out.
   */
  content?: string | unknown;
}
/**
 * Files to create or update under a directory.
 */
export interface FilesToWrite {
  /**
   * File content by file path.
   */
  files: {
    [k: string]: string;
  };
}
/**
 * What a directory holds.
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
  files?: FileEntry[];
  subdirectories?: SubdirectoryEntry[];
}
/**
 * A file of a directory.
 */
export interface FileEntry {
  group: string;
  lastModified: string;
  name: string;
  owner: string;
  path: string;
  permissions: string;
  /**
   * Length of the content in bytes.
   */
  size: number;
}
/**
 * A directory of a directory.
 */
export interface SubdirectoryEntry {
  name: string;
  path: string;
}
/**
 * All active multipart uploads.
 */
export interface MultipartUploads {
  uploads: MultipartUpload[];
}
/**
 * An active multipart upload.
 */
export interface MultipartUpload {
  uploadId: string;
  /**
   * Target file path.
   */
  path?: string;
  /**
   * File mode.
   */
  permissions?: number;
  /**
   * When the upload was initiated.
   */
  initiatedAt?: string;
  /**
   * Contents are not shown.
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
   * HTTP status.
   */
  code?: number;
  /**
   * Human-readable.
   */
  message?: string;
}
/**
 * The version header named a version that is not listed.
 */
export interface VersionError {
  error: 'invalid_api_version';
  /**
   * Names the unknown version and the valid versions.
   */
  message: string;
}
/**
 * The caller has not the account-admin role, and used `workspace=` or `groupBy=workspace`.
 */
export interface AccessDenied {
  message: 'Access denied';
}
/**
 * Why there is no token.
 */
export interface OAuthError {
  error: string;
  error_description?: string;
  error_uri?: string;
  [k: string]: unknown;
}
/**
 * Error body of the sandbox API.
 */
export interface SandboxError {
  error: string;
}

export type OperationId = keyof Operations;
