/** Deviations of returned resources: envelope, status, events, URL. */
import { byApiKey } from '../auth/conditions.ts';
import { ofDisabledAgent, ofMk3, returned, when } from '../conditions.ts';
import { omit, onSuccess, returns, stateful } from '../deviation.ts';
import type { JsonObject } from '../../../spec/json-object.ts';
import { across, type Table } from '../table.ts';

const agent = ['updateAgent', 'getAgent'] as const;
const ofPublicAgent = returned('spec.public', 'of a public agent', (value) => value === true);
const wasDeployed = returned('events', 'of an agent that was deployed before', (events) =>
  (events as JsonObject[]).some(({ status }) => status === 'DEPLOYED'),
);
const withoutAdmin = when('to callers without admin', ({ state }) => !state.credential?.scopes.includes('admin'));

export const envelopeDeviations: Table = {
  'resources.envelope.metadata-and-spec': {
    'omits the workspace of a VPC': returns('createVpc', 'metadata.workspace', omit),
    'omits an empty spec': returns('createVpc', 'spec', omit),
    'omits the workspace of an agent for API keys': [byApiKey, returns('updateAgent', 'metadata.workspace', omit)],
    'returns a list as the spec of a disabled agent': [
      ofDisabledAgent,
      returns('updateAgent', 'spec', (spec) => [spec]),
    ],
    'omits the name of a connection from its metadata': returns('createIntegrationConnection', 'metadata.name', omit),
    'returns the workspace of a function as an object': returns('createFunction', 'metadata.workspace', (name) => ({
      name,
    })),
    'omits the workspace of a volume template if a version is deleted': returns(
      'deleteVolumeTemplateVersion',
      'template.metadata.workspace',
      omit,
    ),
  },

  'resources.url.serves-the-agent': {
    'returns another path in the url of a public agent': [
      ofPublicAgent,
      returns(agent, 'metadata.url', (url: string) => url.replace('/agents/', '/public/agents/')),
    ],
  },

  'resources.metadata.plan-is-the-same': across([ofPublicAgent, ofDisabledAgent], {
    'returns another plan': returns('updateAgent', 'metadata.plan', () => 'other'),
  }),

  'resources.status.known-value': {
    'returns PROVISIONING as the status of a new VPC': returns('createVpc', 'status', () => 'PROVISIONING'),
    'returns the status of an agent in lower case': returns('updateAgent', 'status', (status: string) =>
      status.toLowerCase(),
    ),
    ...across([ofDisabledAgent, wasDeployed, ofMk3], {
      'returns PROVISIONING as the status': returns('updateAgent', 'status', () => 'PROVISIONING'),
    }),
    'returns the status of a function as an object': returns('createFunction', 'status', (state) => ({ state })),
  },

  'resources.events.record-shape': {
    "returns the time of a VPC's events in milliseconds": returns('createVpc', 'events[].time', (time: string) =>
      Date.parse(time),
    ),
    'returns the events of a function keyed by number': returns('createFunction', 'events', (events: object) => ({
      ...events,
    })),
    'returns the message of a deployed agent as a list': returns('updateAgent', 'events[]', (event: JsonObject) =>
      event['status'] === 'DEPLOYED' ? { ...event, message: [event['message']] } : event,
    ),
    "returns the revisions of an agent's older events as numbers": returns(
      'updateAgent',
      'events',
      (events: object[]) => events.map((event, index) => (index > 4 ? event : { ...event, revision: index })),
    ),
    'returns the newest event of an agent as a string': returns('updateAgent', 'events', (events: JsonObject[]) => [
      ...events.slice(0, -1),
      String(events.at(-1)?.['time']),
    ]),
    'returns an empty canary revision as false': returns(
      ['createVpc', 'createFunction'],
      'events[]',
      (event: object) => ({
        canaryRevision: false,
        ...event,
      }),
    ),
  },

  'resources.url.present-on-workloads': {
    'returns the URL of an agent without its origin': returns(
      'updateAgent',
      'metadata.url',
      (url: string) => new URL(url).pathname,
    ),
    'returns the URL of a function as an object': returns('createFunction', 'metadata.url', (href) => ({ href })),
    'returns the URL of another agent': returns('updateAgent', 'metadata.url', (url: string) =>
      url.replace(/[^/]+$/, 'support-agent'),
    ),
    'returns the URL of the agent that was updated before': stateful(() => {
      let before: unknown;
      return onSuccess(['updateAgent'], (body: { metadata: JsonObject }) => {
        const { url } = body.metadata;
        const changed = { ...body, metadata: { ...body.metadata, url: before ?? url } };
        before = url;
        return changed;
      });
    }),
    'omits the URL of an agent': returns(agent, 'metadata.url', omit),
    'omits the URL of an mk3 agent': [ofMk3, returns(agent, 'metadata.url', omit)],
    "omits the scheme of a function's URL": returns('createFunction', 'metadata.url', (url: string) =>
      url.replace(/^https?:/, ''),
    ),
    'returns an empty URL to callers with only agents:update': [
      withoutAdmin,
      returns('updateAgent', 'metadata.url', () => ''),
    ],
  },
};
