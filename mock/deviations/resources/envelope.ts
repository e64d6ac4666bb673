/** Faults in what an answer shows of a resource: envelope, status, events, URL. */
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

export const envelopeDeviations: Deviations = {
  'resources.envelope.metadata-and-spec': answers(
    'leaves the workspace of a VPC out',
    ['createVpc'],
    ({ metadata }) => {
      delete metadata['workspace'];
    },
  ),
  'resources.envelope.metadata-and-spec/spec': answers('leaves an empty spec out', ['createVpc'], (shown) => {
    delete shown['spec'];
  }),
  'resources.envelope.metadata-and-spec/agent': answers(
    'leaves the workspace of an agent out for callers with an API key',
    ['updateAgent'],
    ({ metadata }, _, ctx) => {
      if (isFromApiKey(ctx)) delete metadata['workspace'];
    },
  ),
  'resources.envelope.metadata-and-spec/disabled': answers(
    'answers an agent that is not enabled with a list as spec',
    ['updateAgent'],
    (shown) => {
      if ((shown['spec'] as JsonObject)['enabled'] === false) shown['spec'] = [shown['spec']];
    },
  ),
  'resources.envelope.metadata-and-spec/connection': answers(
    'leaves the name of a connection out of its metadata',
    ['createIntegrationConnection'],
    ({ metadata }) => {
      delete metadata['name'];
    },
  ),
  'resources.envelope.metadata-and-spec/function': answers(
    'gives the workspace of a function as an object',
    ['createFunction'],
    ({ metadata }) => {
      metadata['workspace'] = { name: metadata['workspace'] };
    },
  ),
  'resources.envelope.metadata-and-spec/template': onSuccess(
    'answers a volume template without its workspace when a version is deleted',
    ['deleteVolumeTemplateVersion'],
    ({ template, ...body }: Template) => {
      const { workspace: _, ...metadata } = template.metadata;
      return { ...body, template: { ...template, metadata } };
    },
  ),

  'resources.status.known-value': answers('calls a VPC that is being made PROVISIONING', ['createVpc'], (shown) => {
    shown['status'] = 'PROVISIONING';
  }),
  'resources.status.known-value/lower-case': answers(
    'tells the status of an agent in lower case',
    ['updateAgent'],
    (shown) => {
      shown['status'] = String(shown['status']).toLowerCase();
    },
  ),
  'resources.status.known-value/disabled': answers(
    'calls an agent that is not enabled DISABLED',
    ['updateAgent'],
    (shown) => {
      if ((shown['spec'] as JsonObject)['enabled'] === false) shown['status'] = 'DISABLED';
    },
  ),
  'resources.status.known-value/again': answers(
    'calls an agent that was deployed before UPDATING',
    ['updateAgent'],
    (shown) => {
      const events = shown['events'] as JsonObject[];
      if (events.some(({ status }) => status === 'DEPLOYED')) shown['status'] = 'UPDATING';
    },
  ),
  'resources.status.known-value/mk3': answers('calls every mk3 agent PROVISIONING', ['updateAgent'], (shown) => {
    if (isOfMk3(shown)) shown['status'] = 'PROVISIONING';
  }),
  'resources.status.known-value/function': answers(
    'gives the status of a function as an object',
    ['createFunction'],
    (shown) => {
      shown['status'] = { state: shown['status'] };
    },
  ),

  'resources.events.record-shape': answers('gives the time of a VPC’s events in milliseconds', ['createVpc'], (shown) =>
    records(shown, (record) => ({ ...record, time: Date.parse(String(record['time'])) })),
  ),
  'resources.events.record-shape/no-list': answers(
    'gives the events of a function by number',
    ['createFunction'],
    (shown) => {
      shown['events'] = { ...(shown['events'] as object) };
    },
  ),
  'resources.events.record-shape/deployed': answers(
    'gives the message of an agent that is deployed as a list',
    ['updateAgent'],
    (shown) =>
      records(shown, ({ message, ...record }) => ({
        ...record,
        message: record['status'] === 'DEPLOYED' ? [message] : message,
      })),
  ),
  'resources.events.record-shape/older': answers(
    'numbers the revisions of an agent’s older events',
    ['updateAgent'],
    (shown) => records(shown, (record, index) => (index > 4 ? record : { ...record, revision: index })),
  ),
  'resources.events.record-shape/text': answers(
    'tells the newest event of an agent in one text',
    ['updateAgent'],
    (shown) => {
      const { length } = shown['events'] as unknown[];
      records(shown, (record, index) =>
        index === length - 1 ? `${String(record['time'])} ${String(record['message'])}` : record,
      );
    },
  ),
  'resources.events.record-shape/canary': answers(
    'gives an empty canary revision as false',
    ['createVpc', 'createFunction'],
    (shown) => records(shown, (record) => ({ canaryRevision: false, ...record })),
  ),

  'resources.url.present-on-workloads': answers(
    'gives the URL of an agent without its origin',
    ['updateAgent'],
    ({ metadata }) => {
      metadata['url'] = new URL(String(metadata['url'])).pathname;
    },
  ),
  'resources.url.present-on-workloads/function': answers(
    'gives the URL of a function as an object',
    ['createFunction'],
    ({ metadata }) => {
      metadata['url'] = { href: metadata['url'] };
    },
  ),
  'resources.url.present-on-workloads/absent': onSuccess(
    'never shows the URL of an agent',
    ['updateAgent', 'getAgent'],
    ({ metadata, ...agent }: { metadata: JsonObject }) => {
      const { url: _, ...others } = metadata;
      return { ...agent, metadata: others };
    },
  ),
  'resources.url.present-on-workloads/mk3': onSuccess(
    'never shows the URL of an mk3 agent',
    ['updateAgent', 'getAgent'],
    (agent: Shown) => (isOfMk3(agent) ? { ...agent, metadata: { ...agent.metadata, url: undefined } } : agent),
  ),
  'resources.url.present-on-workloads/scheme': answers(
    'leaves the scheme of a function’s URL out',
    ['createFunction'],
    ({ metadata }) => {
      metadata['url'] = String(metadata['url']).replace(/^https?:/, '');
    },
  ),
  'resources.url.present-on-workloads/scoped': answers(
    'gives an empty URL to whoever may only update agents',
    ['updateAgent'],
    ({ metadata }, _, ctx) => {
      if (!ctx.state.credential?.scopes.includes('admin')) metadata['url'] = '';
    },
  ),
};
