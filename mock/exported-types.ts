/** The types that `@svc/assay` exports next to startMock: of the mock, of resources and of files. */
export type { MockOptions } from './mock-options.ts';
export type {
  InvocationFilter,
  MockControl,
  MockWorld,
  NewWorld,
  RequestFilter,
  ResourceFilter,
  Wait,
} from './server/control/mock-control.ts';
export type { FaultRule, ScriptedResponse } from './pipeline/rule-formats.ts';
export type { ReplayedExchange, ReplayedResponse, ReplayedTraffic } from './pipeline/replay.ts';
export type { Verification } from './server/control/verification-format.ts';
export type { TokenRequest } from './server/control/post-tokens.ts';
export type { DeploymentOutcome } from './server/control/put-deployment.ts';
export type * from './server/control/views.ts';
export type { ServedRequest } from './server/served-request.ts';
export type { TlsFiles } from './http/tls.ts';
export type { Time } from './time/instant.ts';
export type { WorldName } from '../spec/formats/world-names.ts';
export type { MockTarget } from './world/target.ts';
export type { Addresses } from './state/addresses.ts';
/** Resources, requests and responses of the service, as its OpenAPI documents describe them. */
export type * from '../spec/generated/types.ts';
/** World files, target files, and report.json. */
export type { WorldExtension, WorldFile } from '../spec/formats/world-file.ts';
export type { KnownResources, TargetFile } from '../spec/formats/target-file.ts';
export type { KnownFailure } from '../spec/formats/known-failures.ts';
export type { Counterexample, Observation, Report, RuleResult, Summary } from '../spec/formats/report.ts';
