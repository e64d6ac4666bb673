/** Checks that the resources that the target file names exist. */
import type { OperationId } from '../../spec/operations.ts';
import { strongestCaller } from '../../suites/engine/callers.ts';
import { fieldsOf } from '../../suites/json/fields.ts';
import { listIn, nameOf } from '../../suites/json/named-items.ts';
import { jsonIn } from '../../suites/json/json-in.ts';
import type { Target } from '../../suites/target/target.ts';
import { failed, passed, skipped } from './check.ts';
import type { Check } from './check.ts';
import { explainNetworkError } from '../command-line/network-error.ts';
import { describeResponse, hasResponse } from './prober.ts';
import type { Prober, ProbeResponse } from './prober.ts';

interface NamedResource {
  readonly subject: string;
  readonly name: string;
  readonly read: OperationId;
  readonly parameter: string;
  /** Tells whether the target has operations of this kind. Absent if `read` is documented. */
  readonly list?: OperationId;
  /** In the target file. Absent if the kind has none. */
  readonly region?: string;
}

function namedResources({ resources }: Target): NamedResource[] {
  const { agent, mk3Agent, model, function: tools, job, sandbox, volume, connection } = resources;
  const { integration, mailIntegration, policies = [] } = resources;
  const agents = { read: 'getAgent', parameter: 'agentName', list: 'listAgents' } as const;
  const integrations = { read: 'getIntegration', parameter: 'integrationName' } as const;
  const rows: (Omit<NamedResource, 'name'> & { name: string | undefined })[] = [
    { subject: 'agent', name: agent, ...agents },
    { subject: 'mk3Agent', name: mk3Agent, ...agents },
    { subject: 'model', name: model, read: 'getModel', parameter: 'modelName', list: 'listModels' },
    { subject: 'function', name: tools, read: 'getFunction', parameter: 'functionName', list: 'listFunctions' },
    { subject: 'job', name: job, read: 'getJob', parameter: 'jobName', list: 'listJobs' },
    { subject: 'sandbox', name: sandbox, read: 'getSandbox', parameter: 'sandboxName', list: 'listSandboxes' },
    {
      subject: 'volume',
      name: volume?.name,
      read: 'getVolume',
      parameter: 'volumeName',
      list: 'listVolumes',
      ...(volume && { region: volume.region }),
    },
    {
      subject: 'connection',
      name: connection,
      read: 'getIntegrationConnection',
      parameter: 'connectionName',
      list: 'listIntegrationConnections',
    },
    { subject: 'integration', name: integration, ...integrations },
    { subject: 'mailIntegration', name: mailIntegration, ...integrations },
    ...policies.map((name) => ({
      subject: 'policies',
      name,
      read: 'getPolicy' as const,
      parameter: 'policyName',
      list: 'listPolicies' as const,
    })),
  ];
  return rows.flatMap((row) => (row.name === undefined ? [] : [{ ...row, name: row.name }]));
}

export async function checkResources(target: Target, prober: Prober): Promise<Check[]> {
  return Promise.all(namedResources(target).map((named) => checkResource(named, target, prober)));
}

async function checkResource(
  { subject: key, name, read, parameter, list, region }: NamedResource,
  target: Target,
  prober: Prober,
): Promise<Check> {
  const subject = `resources.${key}`;
  const caller = strongestCaller(target);
  const result = await prober.call(read, caller, { path: { [parameter]: name } });
  if (!hasResponse(result)) {
    const { what, advice } = explainNetworkError(result.error);
    return failed(subject, `${result.request}: ${what}`, advice);
  }
  const { status } = result;
  if (status === 200) return judgeFound(subject, name, region, result);
  if (status === 401)
    return failed(subject, describeResponse(result), 'The credential is refused. Correct it first: see credentials.');
  if (status === 403)
    return failed(
      subject,
      describeResponse(result),
      'Use a credential that may read it. The checks use the strongest one of the file.',
    );
  if (list !== undefined && [404, 405, 501].includes(status)) {
    const listed = await prober.call(list, caller);
    if (!hasResponse(listed) || listed.status !== 200)
      return skipped(subject, `the target has no such operation (${describeResponse(result)}; it is not documented)`);
    const found = listIn(jsonIn(listed.text))?.find((item) => nameOf(item) === name);
    if (found !== undefined) return judgeFound(subject, name, region, { ...listed, text: JSON.stringify(found) });
  }
  return status === 404
    ? failed(
        subject,
        `${name} does not exist (${describeResponse(result)})`,
        `Create it, or correct ${subject} in the target file.`,
      )
    : failed(subject, describeResponse(result), 'The target should return 200 here. Check the deployment.');
}

/** The region is not checked if the file names none or the target returns none. */
function judgeFound(subject: string, name: string, region: string | undefined, result: ProbeResponse): Check {
  const resource = fieldsOf(jsonIn(result.text));
  if (resource === undefined)
    return failed(
      subject,
      `${describeResponse(result)}, but the body is not a JSON object`,
      'The target should return the resource as JSON. Check the deployment.',
    );
  const returned = fieldsOf(resource['spec'])?.['region'];
  if (region === undefined || typeof returned !== 'string' || returned === region)
    return passed(subject, `${name} exists`);
  return failed(
    subject,
    `${name} is in region ${returned}, not ${region}`,
    `Correct ${subject}.region in the target file.`,
  );
}
