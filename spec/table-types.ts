/** What `spec/generated/tables.json` contains: operations and enumerations of the documents. */

import type {
  AgentRuntime,
  BillingDimension,
  DeploymentStatus,
  GroupByDimension,
  OperationId,
  Resolution,
  Scope,
  Trigger,
} from './generated/types.ts';
import type { FoundOperation, Surface } from './openapi-document.ts';

export interface PathParameter {
  readonly name: string;
  /** Whether the value may contain slashes, so that it matches the rest of the path. */
  readonly slashes: boolean;
}

export interface Operation {
  readonly id: OperationId;
  readonly surface: Surface;
  readonly method: FoundOperation['method'];
  /** Template relative to the address of the surface, with parameters in braces. */
  readonly path: string;
  readonly pathParameters: readonly PathParameter[];
  /** Names of the query parameters. */
  readonly queryParameters: readonly string[];
  /** Names of the header parameters, with the default brand. */
  readonly headerParameters: readonly string[];
  readonly summary: string;
  /** False for an inferred operation, which follows the pattern of its resource kind. */
  readonly documented: boolean;
  /** False if no credential is required, as for the OAuth endpoints. */
  readonly security: boolean;
  /** Whether a credential is not always required, as for public agents. */
  readonly credentialOptional: boolean;
  /** Whether scopes are checked. False on host, inference and sandbox, which have no documented scopes. */
  readonly scoped: boolean;
  /** Scopes that are sufficient in addition to admin. Meaningless if `scoped` is false. */
  readonly scopes: readonly Scope[];
  /** Whether the operation accepts the version header. */
  readonly versioned: boolean;
  /** The first version that has the operation. Absent for the earliest one. */
  readonly since?: string;
  readonly hasBody: boolean;
  /** False if the body is optional or there is none. */
  readonly bodyRequired: boolean;
  /** First media type of the request body; absent without a body. */
  readonly bodyType?: string;
  /** All media types of the request body. */
  readonly bodyTypes: readonly string[];
}

export type Unit = 'GB-seconds' | 'count' | 'hours';

export interface Enumerations {
  readonly statuses: readonly DeploymentStatus[];
  readonly generations: readonly NonNullable<AgentRuntime['generation']>[];
  readonly triggerTypes: readonly NonNullable<Trigger['type']>[];
  readonly resolutions: readonly Resolution[];
  readonly groupByDimensions: readonly GroupByDimension[];
  readonly billingDimensions: readonly BillingDimension[];
  readonly scopes: readonly Scope[];
}

export interface Tables {
  /** Surface by surface in the order of their documents. */
  readonly operations: readonly Operation[];
  readonly enumerations: Enumerations;
  readonly billingDimensionTable: Readonly<
    Record<BillingDimension, { readonly resourceType: string; readonly unit: Unit }>
  >;
}
