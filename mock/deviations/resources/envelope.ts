/** Deviations of returned resources: envelope, status, events, URL. */
import { deviationsOf } from '../table.ts';
import { changesResponse, isFromApiKey, isOfMk3 } from '../writes.ts';
import type { ResponseBody } from '../writes.ts';
import { onSuccess } from '../deviation.ts';
import type { Deviations } from '../deviation.ts';
import type { JsonObject } from '../../http/json-object.ts';

type Template = { readonly template: { readonly metadata: JsonObject; readonly spec?: object } };

/** Modifies each returned event. */
const records = (returned: ResponseBody, edit: (record: JsonObject, index: number) => unknown): void => {
  const events = returned['events'] as JsonObject[];
  returned['events'] = events.map(edit);
};

export const envelopeDeviations: Deviations = deviationsOf({
  'resources.envelope.metadata-and-spec': {
    '': changesResponse('Omits the workspace of a VPC', ['createVpc'], ({ metadata }) => {
      delete metadata['workspace'];
    }),
    spec: changesResponse('Omits an empty spec', ['createVpc'], (returned) => {
      delete returned['spec'];
    }),
    agent: changesResponse('Omits the workspace of an agent for API keys', ['updateAgent'], ({ metadata }, _, ctx) => {
      if (isFromApiKey(ctx)) delete metadata['workspace'];
    }),
    disabled: changesResponse('Returns a list as the spec of a disabled agent', ['updateAgent'], (returned) => {
      if ((returned['spec'] as JsonObject)['enabled'] === false) returned['spec'] = [returned['spec']];
    }),
    connection: changesResponse(
      'Omits the name of a connection from its metadata',
      ['createIntegrationConnection'],
      ({ metadata }) => {
        delete metadata['name'];
      },
    ),
    function: changesResponse(
      'Returns the workspace of a function as an object',
      ['createFunction'],
      ({ metadata }) => {
        metadata['workspace'] = { name: metadata['workspace'] };
      },
    ),
    template: onSuccess(
      'Omits the workspace of a volume template if a version is deleted',
      ['deleteVolumeTemplateVersion'],
      ({ template, ...body }: Template) => {
        const { workspace: _, ...metadata } = template.metadata;
        return { ...body, template: { ...template, metadata } };
      },
    ),
  },

  'resources.metadata.plan-is-the-same': {
    public: changesResponse('Returns another plan of a public agent', ['updateAgent'], ({ metadata, spec }) => {
      if ((spec as JsonObject)['public'] === true) metadata['plan'] = 'other';
    }),
    disabled: changesResponse('Returns another plan of a disabled agent', ['updateAgent'], ({ metadata, spec }) => {
      if ((spec as JsonObject)['enabled'] === false) metadata['plan'] = 'other';
    }),
  },

  'resources.status.known-value': {
    '': changesResponse('Returns PROVISIONING as the status of a new VPC', ['createVpc'], (returned) => {
      returned['status'] = 'PROVISIONING';
    }),
    'lower-case': changesResponse('Returns the status of an agent in lower case', ['updateAgent'], (returned) => {
      returned['status'] = String(returned['status']).toLowerCase();
    }),
    disabled: changesResponse('Returns DISABLED as the status of a disabled agent', ['updateAgent'], (returned) => {
      if ((returned['spec'] as JsonObject)['enabled'] === false) returned['status'] = 'DISABLED';
    }),
    again: changesResponse('Returns UPDATING for an agent that was deployed before', ['updateAgent'], (returned) => {
      const events = returned['events'] as JsonObject[];
      if (events.some(({ status }) => status === 'DEPLOYED')) returned['status'] = 'UPDATING';
    }),
    mk3: changesResponse('Returns PROVISIONING for every mk3 agent', ['updateAgent'], (returned) => {
      if (isOfMk3(returned)) returned['status'] = 'PROVISIONING';
    }),
    function: changesResponse('Returns the status of a function as an object', ['createFunction'], (returned) => {
      returned['status'] = { state: returned['status'] };
    }),
  },

  'resources.events.record-shape': {
    '': changesResponse("Returns the time of a VPC's events in milliseconds", ['createVpc'], (returned) =>
      records(returned, (record) => ({ ...record, time: Date.parse(String(record['time'])) })),
    ),
    'no-list': changesResponse('Returns the events of a function keyed by number', ['createFunction'], (returned) => {
      returned['events'] = { ...(returned['events'] as object) };
    }),
    deployed: changesResponse('Returns the message of a deployed agent as a list', ['updateAgent'], (returned) =>
      records(returned, ({ message, ...record }) => ({
        ...record,
        message: record['status'] === 'DEPLOYED' ? [message] : message,
      })),
    ),
    older: changesResponse("Returns the revisions of an agent's older events as numbers", ['updateAgent'], (returned) =>
      records(returned, (record, index) => (index > 4 ? record : { ...record, revision: index })),
    ),
    text: changesResponse('Returns the newest event of an agent as a string', ['updateAgent'], (returned) => {
      const { length } = returned['events'] as unknown[];
      records(returned, (record, index) =>
        index === length - 1 ? `${String(record['time'])} ${String(record['message'])}` : record,
      );
    }),
    canary: changesResponse('Returns an empty canary revision as false', ['createVpc', 'createFunction'], (returned) =>
      records(returned, (record) => ({ canaryRevision: false, ...record })),
    ),
  },

  'resources.url.present-on-workloads': {
    '': changesResponse('Returns the URL of an agent without its origin', ['updateAgent'], ({ metadata }) => {
      metadata['url'] = new URL(String(metadata['url'])).pathname;
    }),
    function: changesResponse('Returns the URL of a function as an object', ['createFunction'], ({ metadata }) => {
      metadata['url'] = { href: metadata['url'] };
    }),
    absent: onSuccess(
      'Omits the URL of an agent',
      ['updateAgent', 'getAgent'],
      ({ metadata, ...agent }: { metadata: JsonObject }) => {
        const { url: _, ...others } = metadata;
        return { ...agent, metadata: others };
      },
    ),
    mk3: onSuccess('Omits the URL of an mk3 agent', ['updateAgent', 'getAgent'], (agent: ResponseBody) =>
      isOfMk3(agent) ? { ...agent, metadata: { ...agent.metadata, url: undefined } } : agent,
    ),
    scheme: changesResponse("Omits the scheme of a function's URL", ['createFunction'], ({ metadata }) => {
      metadata['url'] = String(metadata['url']).replace(/^https?:/, '');
    }),
    scoped: changesResponse(
      'Returns an empty URL to callers with only agents:update',
      ['updateAgent'],
      ({ metadata }, _, ctx) => {
        if (!ctx.state.credential?.scopes.includes('admin')) metadata['url'] = '';
      },
    ),
  },
});
