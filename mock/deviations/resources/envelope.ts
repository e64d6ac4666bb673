/** Deviations of returned resources: envelope, status, events, URL. */
import { onSuccess } from '../deviation.ts';
import type { Table } from '../table.ts';
import { changesResponse, isFromApiKey, isOfMk3 } from '../writes.ts';
import type { ResponseBody } from '../writes.ts';
import type { JsonObject } from '../../http/json-object.ts';

type Template = { readonly template: { readonly metadata: JsonObject; readonly spec?: object } };

/** Modifies each returned event. */
const records = (returned: ResponseBody, edit: (record: JsonObject, index: number) => unknown): void => {
  const events = returned['events'] as JsonObject[];
  returned['events'] = events.map(edit);
};

export const envelopeDeviations: Table = {
  'resources.envelope.metadata-and-spec': {
    'omits the workspace of a VPC': changesResponse(['createVpc'], ({ metadata }) => {
      delete metadata['workspace'];
    }),
    'omits an empty spec': changesResponse(['createVpc'], (returned) => {
      delete returned['spec'];
    }),
    'omits the workspace of an agent for API keys': changesResponse(['updateAgent'], ({ metadata }, _, ctx) => {
      if (isFromApiKey(ctx)) delete metadata['workspace'];
    }),
    'returns a list as the spec of a disabled agent': changesResponse(['updateAgent'], (returned) => {
      if ((returned['spec'] as JsonObject)['enabled'] === false) returned['spec'] = [returned['spec']];
    }),
    'omits the name of a connection from its metadata': changesResponse(
      ['createIntegrationConnection'],
      ({ metadata }) => {
        delete metadata['name'];
      },
    ),
    'returns the workspace of a function as an object': changesResponse(['createFunction'], ({ metadata }) => {
      metadata['workspace'] = { name: metadata['workspace'] };
    }),
    'omits the workspace of a volume template if a version is deleted': onSuccess(
      ['deleteVolumeTemplateVersion'],
      ({ template, ...body }: Template) => {
        const { workspace: _, ...metadata } = template.metadata;
        return { ...body, template: { ...template, metadata } };
      },
    ),
  },

  'resources.metadata.plan-is-the-same': {
    'returns another plan of a public agent': changesResponse(['updateAgent'], ({ metadata, spec }) => {
      if ((spec as JsonObject)['public'] === true) metadata['plan'] = 'other';
    }),
    'returns another plan of a disabled agent': changesResponse(['updateAgent'], ({ metadata, spec }) => {
      if ((spec as JsonObject)['enabled'] === false) metadata['plan'] = 'other';
    }),
  },

  'resources.status.known-value': {
    'returns PROVISIONING as the status of a new VPC': changesResponse(['createVpc'], (returned) => {
      returned['status'] = 'PROVISIONING';
    }),
    'returns the status of an agent in lower case': changesResponse(['updateAgent'], (returned) => {
      returned['status'] = String(returned['status']).toLowerCase();
    }),
    'returns DISABLED as the status of a disabled agent': changesResponse(['updateAgent'], (returned) => {
      if ((returned['spec'] as JsonObject)['enabled'] === false) returned['status'] = 'DISABLED';
    }),
    'returns UPDATING for an agent that was deployed before': changesResponse(['updateAgent'], (returned) => {
      const events = returned['events'] as JsonObject[];
      if (events.some(({ status }) => status === 'DEPLOYED')) returned['status'] = 'UPDATING';
    }),
    'returns PROVISIONING for every mk3 agent': changesResponse(['updateAgent'], (returned) => {
      if (isOfMk3(returned)) returned['status'] = 'PROVISIONING';
    }),
    'returns the status of a function as an object': changesResponse(['createFunction'], (returned) => {
      returned['status'] = { state: returned['status'] };
    }),
  },

  'resources.events.record-shape': {
    "returns the time of a VPC's events in milliseconds": changesResponse(['createVpc'], (returned) =>
      records(returned, (record) => ({ ...record, time: Date.parse(String(record['time'])) })),
    ),
    'returns the events of a function keyed by number': changesResponse(['createFunction'], (returned) => {
      returned['events'] = { ...(returned['events'] as object) };
    }),
    'returns the message of a deployed agent as a list': changesResponse(['updateAgent'], (returned) =>
      records(returned, ({ message, ...record }) => ({
        ...record,
        message: record['status'] === 'DEPLOYED' ? [message] : message,
      })),
    ),
    "returns the revisions of an agent's older events as numbers": changesResponse(['updateAgent'], (returned) =>
      records(returned, (record, index) => (index > 4 ? record : { ...record, revision: index })),
    ),
    'returns the newest event of an agent as a string': changesResponse(['updateAgent'], (returned) => {
      const { length } = returned['events'] as unknown[];
      records(returned, (record, index) =>
        index === length - 1 ? `${String(record['time'])} ${String(record['message'])}` : record,
      );
    }),
    'returns an empty canary revision as false': changesResponse(['createVpc', 'createFunction'], (returned) =>
      records(returned, (record) => ({ canaryRevision: false, ...record })),
    ),
  },

  'resources.url.present-on-workloads': {
    'returns the URL of an agent without its origin': changesResponse(['updateAgent'], ({ metadata }) => {
      metadata['url'] = new URL(String(metadata['url'])).pathname;
    }),
    'returns the URL of a function as an object': changesResponse(['createFunction'], ({ metadata }) => {
      metadata['url'] = { href: metadata['url'] };
    }),
    'omits the URL of an agent': onSuccess(
      ['updateAgent', 'getAgent'],
      ({ metadata, ...agent }: { metadata: JsonObject }) => {
        const { url: _, ...others } = metadata;
        return { ...agent, metadata: others };
      },
    ),
    'omits the URL of an mk3 agent': onSuccess(['updateAgent', 'getAgent'], (agent: ResponseBody) =>
      isOfMk3(agent) ? { ...agent, metadata: { ...agent.metadata, url: undefined } } : agent,
    ),
    "omits the scheme of a function's URL": changesResponse(['createFunction'], ({ metadata }) => {
      metadata['url'] = String(metadata['url']).replace(/^https?:/, '');
    }),
    'returns an empty URL to callers with only agents:update': changesResponse(
      ['updateAgent'],
      ({ metadata }, _, ctx) => {
        if (!ctx.state.credential?.scopes.includes('admin')) metadata['url'] = '';
      },
    ),
  },
};
