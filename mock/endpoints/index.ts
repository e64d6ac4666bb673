/** The endpoint of each operation; one that is missing here does not compile. */
import type { OperationId } from '../../spec/generated/types.ts';
import type { Endpoint, OptionalAuthEndpoint, OptionalAuthId } from './endpoint.ts';
import { listAccounts } from './accounts/list-accounts.ts';
import * as executions from './executions/executions.ts';
import { deleteUnusedImages } from './images/delete-unused-images.ts';
import * as inference from './inference/index.ts';
import { getIntegration } from './integrations/get-integration.ts';
import { listIntegrations } from './integrations/list-integrations.ts';
import { getAccountMetrics } from './metrics/get-account-metrics.ts';
import { listMetricsGroupBy } from './metrics/list-metrics-group-by.ts';
import { listMetricsResourceTypes } from './metrics/list-metrics-resource-types.ts';
import * as oauth from './oauth/index.ts';
import { functionMcp } from './mcp/function-mcp.ts';
import { sandboxMcp } from './mcp/sandbox-mcp.ts';
import { deleteSandboxPreviewToken } from './preview-tokens/delete-sandbox-preview-token.ts';
import { abortMultipartUpload } from './sandbox/abort-multipart-upload.ts';
import { completeMultipartUpload } from './sandbox/complete-multipart-upload.ts';
import { getSandboxRoot } from './sandbox/get-sandbox-root.ts';
import { initiateMultipartUpload } from './sandbox/initiate-multipart-upload.ts';
import { deleteFile, deleteTree } from './sandbox/delete-file.ts';
import { listMultipartParts } from './sandbox/list-multipart-parts.ts';
import { readFile } from './sandbox/read-file.ts';
import { writeFile } from './sandbox/write-file.ts';
import { listMultipartUploads } from './sandbox/list-multipart-uploads.ts';
import { readTree } from './sandbox/read-tree.ts';
import { uploadMultipartPart } from './sandbox/upload-multipart-part.ts';
import { watchDirectory } from './sandbox/watch-directory.ts';
import { writeTree } from './sandbox/write-tree.ts';
import { create, get, list, remove, update } from './uniform.ts';
import { deleteVolumeTemplateVersion } from './volume-templates/delete-volume-template-version.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { deleteWorkspace } from './workspaces/delete-workspace.ts';
import * as members from './workspaces/members.ts';
import { control } from './sandbox/control-sandbox.ts';
import { listWorkspaces } from './workspaces/list-workspaces.ts';

export const endpoints = {
  listAgents: list('agents'),
  createAgent: create('agents'),
  getAgent: get('agents'),
  updateAgent: update('agents'),
  deleteAgent: remove('agents'),

  listFunctions: list('functions'),
  createFunction: create('functions'),
  getFunction: get('functions'),
  updateFunction: update('functions'),
  deleteFunction: remove('functions'),

  listModels: list('models'),
  createModel: create('models'),
  getModel: get('models'),
  updateModel: update('models'),
  deleteModel: remove('models'),

  listSandboxes: list('sandboxes'),
  createSandbox: create('sandboxes'),
  getSandbox: get('sandboxes'),
  updateSandbox: update('sandboxes'),
  deleteSandbox: remove('sandboxes'),

  startSandbox: control('deploy'),
  stopSandbox: control('deactivate'),

  listSandboxPreviews: list('previews'),
  createSandboxPreview: create('previews'),
  getSandboxPreview: get('previews'),
  updateSandboxPreview: update('previews'),
  deleteSandboxPreview: remove('previews'),

  listSandboxPreviewTokens: list('tokens'),
  createSandboxPreviewToken: create('tokens'),
  getSandboxPreviewToken: get('tokens'),
  deleteSandboxPreviewToken,

  listJobs: list('jobs'),
  createJob: create('jobs'),
  getJob: get('jobs'),
  updateJob: update('jobs'),
  deleteJob: remove('jobs'),

  listJobExecutionsOfJob: executions.list(),
  createExecutionOfJob: executions.create(),
  getExecutionOfJob: executions.get(),
  listJobExecutions: executions.list(),
  createJobExecution: executions.create(),
  getJobExecution: executions.get(),

  listVolumes: list('volumes'),
  createVolume: create('volumes'),
  getVolume: get('volumes'),
  updateVolume: update('volumes'),
  deleteVolume: remove('volumes'),

  listVolumeTemplates: list('volume_templates'),
  createVolumeTemplate: create('volume_templates'),
  getVolumeTemplate: get('volume_templates'),
  updateVolumeTemplate: update('volume_templates'),
  deleteVolumeTemplate: remove('volume_templates'),

  listVolumeTemplateVersions: list('versions'),
  createVolumeTemplateVersion: create('versions'),
  getVolumeTemplateVersion: get('versions'),
  deleteVolumeTemplateVersion,

  listVpcs: list('vpcs'),
  createVpc: create('vpcs'),
  getVpc: get('vpcs'),
  updateVpc: update('vpcs'),
  deleteVpc: remove('vpcs'),

  listIntegrations,
  getIntegration,

  listIntegrationConnections: list('integrations/connections'),
  createIntegrationConnection: create('integrations/connections'),
  getIntegrationConnection: get('integrations/connections'),
  updateIntegrationConnection: update('integrations/connections'),
  deleteIntegrationConnection: remove('integrations/connections'),

  listCustomDomains: list('customdomains'),
  createCustomDomain: create('customdomains'),
  getCustomDomain: get('customdomains'),
  updateCustomDomain: update('customdomains'),
  deleteCustomDomain: remove('customdomains'),

  listPolicies: list('policies'),
  createPolicy: create('policies'),
  getPolicy: get('policies'),
  updatePolicy: update('policies'),
  deletePolicy: remove('policies'),

  listImages: list('images'),
  createImage: create('images'),
  getImage: get('images'),
  updateImage: update('images'),
  deleteImage: remove('images'),
  deleteUnusedImages,

  listWorkspaces,
  createWorkspace,
  getWorkspace: get('workspaces'),
  updateWorkspace: update('workspaces'),
  deleteWorkspace,
  ...members,

  listAccounts,
  getAccountMetrics,
  listMetricsGroupBy,
  listMetricsResourceTypes,

  ...inference,

  ...oauth,

  postFunctionMcp: functionMcp,
  getFunctionMcp: functionMcp,
  deleteFunctionMcp: functionMcp,
  postSandboxMcp: sandboxMcp,
  getSandboxMcp: sandboxMcp,
  deleteSandboxMcp: sandboxMcp,

  getSandboxRoot,
  readTree,
  writeTree,
  watchDirectory,
  listMultipartUploads,
  initiateMultipartUpload,
  uploadMultipartPart,
  completeMultipartUpload,
  abortMultipartUpload,
  listMultipartParts,
  readFile,
  writeFile,
  deleteFile,
  deleteTree,
} satisfies { readonly [Id in OperationId]: Id extends OptionalAuthId ? OptionalAuthEndpoint<Id> : Endpoint<Id> };
