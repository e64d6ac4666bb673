/** Faults in what an answer shows of a resource: envelope, status, events, URL. */
import { deviationsOf } from '../table.ts';
import { answers, isFromApiKey, isOfMk3 } from '../writes.ts';
import type { Shown } from '../writes.ts';
import { onSuccess } from '../deviation.ts';
import type { Deviations } from '../deviation.ts';
import type { JsonObject } from '../../http/json-object.ts';

type Template = { readonly template: { readonly metadata: JsonObject; readonly spec?: object } };

/** Changes each of the event records that it shows. */
const records = (shown: Shown, edit: (record: JsonObject, index: number) => unknown): void => {
  const events = shown['events'] as JsonObject[];
  shown['events'] = events.map(edit);
};

export const envelopeDeviations: Deviations = deviationsOf({
  'resources.envelope.metadata-and-spec': {
    '': answers('leaves the workspace of a VPC out', ['createVpc'], ({ metadata }) => {
      delete metadata['workspace'];
    }),
    spec: answers('leaves an empty spec out', ['createVpc'], (shown) => {
      delete shown['spec'];
    }),
    agent: answers(
      'leaves the workspace of an agent out for callers with an API key',
      ['updateAgent'],
      ({ metadata }, _, ctx) => {
        if (isFromApiKey(ctx)) delete metadata['workspace'];
      },
    ),
    disabled: answers('answers an agent that is not enabled with a list as spec', ['updateAgent'], (shown) => {
      if ((shown['spec'] as JsonObject)['enabled'] === false) shown['spec'] = [shown['spec']];
    }),
    connection: answers(
      'leaves the name of a connection out of its metadata',
      ['createIntegrationConnection'],
      ({ metadata }) => {
        delete metadata['name'];
      },
    ),
    function: answers('gives the workspace of a function as an object', ['createFunction'], ({ metadata }) => {
      metadata['workspace'] = { name: metadata['workspace'] };
    }),
    template: onSuccess(
      'answers a volume template without its workspace when a version is deleted',
      ['deleteVolumeTemplateVersion'],
      ({ template, ...body }: Template) => {
        const { workspace: _, ...metadata } = template.metadata;
        return { ...body, template: { ...template, metadata } };
      },
    ),
  },

  'resources.status.known-value': {
    '': answers('calls a VPC that is being made PROVISIONING', ['createVpc'], (shown) => {
      shown['status'] = 'PROVISIONING';
    }),
    'lower-case': answers('tells the status of an agent in lower case', ['updateAgent'], (shown) => {
      shown['status'] = String(shown['status']).toLowerCase();
    }),
    disabled: answers('calls an agent that is not enabled DISABLED', ['updateAgent'], (shown) => {
      if ((shown['spec'] as JsonObject)['enabled'] === false) shown['status'] = 'DISABLED';
    }),
    again: answers('calls an agent that was deployed before UPDATING', ['updateAgent'], (shown) => {
      const events = shown['events'] as JsonObject[];
      if (events.some(({ status }) => status === 'DEPLOYED')) shown['status'] = 'UPDATING';
    }),
    mk3: answers('calls every mk3 agent PROVISIONING', ['updateAgent'], (shown) => {
      if (isOfMk3(shown)) shown['status'] = 'PROVISIONING';
    }),
    function: answers('gives the status of a function as an object', ['createFunction'], (shown) => {
      shown['status'] = { state: shown['status'] };
    }),
  },

  'resources.events.record-shape': {
    '': answers('gives the time of a VPC’s events in milliseconds', ['createVpc'], (shown) =>
      records(shown, (record) => ({ ...record, time: Date.parse(String(record['time'])) })),
    ),
    'no-list': answers('gives the events of a function by number', ['createFunction'], (shown) => {
      shown['events'] = { ...(shown['events'] as object) };
    }),
    deployed: answers('gives the message of an agent that is deployed as a list', ['updateAgent'], (shown) =>
      records(shown, ({ message, ...record }) => ({
        ...record,
        message: record['status'] === 'DEPLOYED' ? [message] : message,
      })),
    ),
    older: answers('numbers the revisions of an agent’s older events', ['updateAgent'], (shown) =>
      records(shown, (record, index) => (index > 4 ? record : { ...record, revision: index })),
    ),
    text: answers('tells the newest event of an agent in one text', ['updateAgent'], (shown) => {
      const { length } = shown['events'] as unknown[];
      records(shown, (record, index) =>
        index === length - 1 ? `${String(record['time'])} ${String(record['message'])}` : record,
      );
    }),
    canary: answers('gives an empty canary revision as false', ['createVpc', 'createFunction'], (shown) =>
      records(shown, (record) => ({ canaryRevision: false, ...record })),
    ),
  },

  'resources.url.present-on-workloads': {
    '': answers('gives the URL of an agent without its origin', ['updateAgent'], ({ metadata }) => {
      metadata['url'] = new URL(String(metadata['url'])).pathname;
    }),
    function: answers('gives the URL of a function as an object', ['createFunction'], ({ metadata }) => {
      metadata['url'] = { href: metadata['url'] };
    }),
    absent: onSuccess(
      'never shows the URL of an agent',
      ['updateAgent', 'getAgent'],
      ({ metadata, ...agent }: { metadata: JsonObject }) => {
        const { url: _, ...others } = metadata;
        return { ...agent, metadata: others };
      },
    ),
    mk3: onSuccess('never shows the URL of an mk3 agent', ['updateAgent', 'getAgent'], (agent: Shown) =>
      isOfMk3(agent) ? { ...agent, metadata: { ...agent.metadata, url: undefined } } : agent,
    ),
    scheme: answers('leaves the scheme of a function’s URL out', ['createFunction'], ({ metadata }) => {
      metadata['url'] = String(metadata['url']).replace(/^https?:/, '');
    }),
    scoped: answers('gives an empty URL to whoever may only update agents', ['updateAgent'], ({ metadata }, _, ctx) => {
      if (!ctx.state.credential?.scopes.includes('admin')) metadata['url'] = '';
    }),
  },
});
