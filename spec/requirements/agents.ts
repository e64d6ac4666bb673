/** Rules for updating agents: the fields of an agent and the deployment that an update triggers. */
import type { Requirement } from './requirement.ts';
import { generations, limits, triggerTypes } from '../values.ts';

export const agentsRequirements = [
  {
    id: 'agents.update.round-trip',
    level: 'must',
    rule: 'PUT /agents/{agentName} with a valid Agent returns 200 with the metadata and spec that were sent; additional fields are allowed, and defaults, read-only fields, duplicate trigger ids and the values of secret envs may differ (a run sends only regions, policies, volumes and images that the target is known to have).',
    sources: [{ heading: 'Management API', words: '200, Agent. Errors 400, 401, 403, 404, 500 with an Error body.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.update.unknown-404',
    level: 'must',
    rule: 'PUT of an agent that does not exist returns 404 with an Error body and creates nothing.',
    sources: [{ heading: 'Errors', words: 'Agent update: agent does not exist' }],
    needs: ['write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.update.envelope-required',
    level: 'must',
    rule: 'A body that is not an object, or that lacks metadata or spec, returns 400 with an Error body.',
    sources: [{ heading: 'Agent', words: 'Fields: `metadata` (required), `spec` (required), `status`, `events`.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.update.wrong-type-400',
    level: 'must',
    rule: 'A spec field of the wrong JSON type returns 400, for every field of AgentSpec, RevisionConfiguration, AgentRuntime, Env, Trigger, TriggerConfiguration, VolumeAttachment and Repository (null and the elements of tasks are not tried).',
    sources: [{ heading: 'Errors', words: 'Agent update: invalid agent configuration' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.update.defaults',
    level: 'must',
    rule: "If omitted, enabled, public and a trigger's enabled are returned with their defaults (true, false and true) or not at all, never with another value.",
    sources: [
      { heading: 'AgentSpec', words: 'Default true.' },
      { heading: 'Trigger', words: 'Default true.' },
    ],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.runtime.generation-known',
    level: 'must',
    rule: 'A runtime.generation other than mk2 or mk3 returns 400.',
    sources: [
      {
        heading: 'AgentRuntime',
        words: '`mk2` (containers, 2-10 s cold starts, 15+ global regions) or `mk3` (microVMs, sub-25 ms cold starts).',
      },
    ],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
    values: { generations },
  },
  {
    id: 'agents.runtime.empty-generation',
    level: 'must',
    rule: 'An update with an empty generation is refused or counts as one without a generation: if it is accepted, the returned generation is mk2, mk3 or absent.',
    sources: [
      {
        heading: 'AgentRuntime',
        words: '`mk2` (containers, 2-10 s cold starts, 15+ global regions) or `mk3` (microVMs, sub-25 ms cold starts).',
      },
    ],
    needs: ['write'],
    operations: ['updateAgent'],
    values: { generations },
  },
  {
    id: 'agents.triggers.type-known',
    level: 'must',
    rule: 'A trigger type other than http, http-async or cron returns 400.',
    sources: [{ heading: 'Trigger', words: 'One of `http`, `http-async`, `cron`.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
    values: { types: triggerTypes },
  },
  {
    id: 'agents.triggers.accepted-tasks-returned',
    level: 'must',
    rule: 'If an update with tasks of a cron trigger is accepted, the response has as many tasks as were sent, and their returned members have the sent values.',
    sources: [{ heading: 'TriggerConfiguration', words: 'Tasks of the cron job. Fields of a task: not shown.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.triggers.ids-distinct',
    level: 'must',
    rule: 'Every returned trigger has an id that is unique within the resource, even if the client omitted the id or sent the same id twice.',
    sources: [
      {
        heading: 'Trigger',
        words: 'The server generates a unique id when absent and disambiguates duplicates within a resource.',
      },
    ],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.triggers.timeout-at-most-900',
    level: 'must',
    rule: 'On generation mk3, an async trigger accepts a timeout of up to 900 seconds, and a longer one returns 400.',
    sources: [{ heading: 'Limits', words: 'max 900 seconds; mk3 only' }],
    needs: ['mk3-agent', 'write'],
    operations: ['updateAgent'],
    values: { maxSeconds: limits.triggerTimeoutSeconds },
  },
  {
    id: 'agents.triggers.timeout-mk3-only',
    level: 'must',
    rule: 'A trigger timeout on generation mk2 has no effect: the update returns 400, or the response omits the field.',
    sources: [{ heading: 'TriggerConfiguration', words: 'Seconds, for async triggers; max 900; mk3 only.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.triggers.schedule-five-fields',
    level: 'must',
    rule: 'A cron schedule with five fields is accepted; any other number of fields returns 400.',
    sources: [{ heading: 'TriggerConfiguration', words: 'Cron expression with five fields.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.triggers.callback-secret-is-the-servers',
    level: 'must',
    rule: 'callbackSecret is generated by the server: a value sent by a client is never returned, and an http-async trigger with a callbackUrl gets one.',
    sources: [{ heading: 'TriggerConfiguration', words: 'Read-only. Auto-generated, encrypted; for async triggers.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.volumes.region-required',
    level: 'must',
    rule: 'Attaching volumes without specifying a region returns 400.',
    sources: [{ heading: 'AgentSpec', words: 'Required when volumes are attached.' }],
    needs: ['agent', 'volume', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.volumes.must-exist-in-region',
    level: 'must',
    rule: 'Attaching a volume that does not exist in the same workspace and region returns 400.',
    sources: [
      { heading: 'VolumeAttachment', words: 'Name of the volume; must exist in the same workspace and region.' },
    ],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.volumes.mount-path-absolute',
    level: 'must',
    rule: 'A mountPath that is not absolute returns 400.',
    sources: [{ heading: 'VolumeAttachment', words: 'Absolute filesystem path of the mount.' }],
    needs: ['agent', 'volume', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.update.triggers-deployment',
    level: 'must',
    rule: 'An update triggers a new deployment: status changes, or the newest event record differs from the previous one (the number of records is not compared, because it may be capped).',
    sources: [
      {
        heading: 'States and transitions',
        words:
          'A new deployment is triggered; changes to runtime settings, environment variables and scaling parameters apply at that deployment.',
      },
    ],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.enabled.false-does-not-serve',
    level: 'must',
    rule: 'With enabled false the agent stops serving inference: within a bounded time after the update no call returns 2xx; with enabled true it serves again.',
    sources: [{ heading: 'AgentSpec', words: 'When false the agent does not serve inference requests.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent', 'queryAgent'],
  },
  {
    id: 'agents.update.idempotent',
    level: 'must',
    rule: 'Repeating the same PUT has the same outcome, except for timestamps, events, revisions, status, and trigger ids and callback secrets generated by the server.',
    sources: [
      {
        standard: 'RFC 9110',
        section: '9.2.2',
        words:
          'Of the request methods defined by this specification, PUT, DELETE, and safe request methods are idempotent.',
      },
    ],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.update.any-sequence-follows-the-model',
    level: 'must',
    rule: 'After any sequence of valid and invalid updates, the agent matches the last accepted one (model-based).',
    sources: [{ heading: 'Management API', words: '200, Agent. Errors 400, 401, 403, 404, 500 with an Error body.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.update.policies-sent-only',
    level: 'must',
    rule: 'After an update without policies, or with an empty list, the agent has no policy that it did not have before.',
    sources: [
      { heading: 'AgentSpec', words: 'Policy names.' },
      {
        standard: 'RFC 9110',
        section: '9.3.4',
        words:
          'be created or replaced with the state defined by the representation enclosed in the request message content',
      },
    ],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'agents.runtime.bounds',
    level: 'observe',
    rule: 'Bounds of memory; minScale above maxScale; canaryPercent or traffic outside 0..100; negative stickySessionTtl; unknown fields; whether the value of a secret env is returned.',
    sources: [
      { heading: 'AgentRuntime', words: 'Megabytes. Also sets CPU: cores = memory in MB / 2048.' },
      { heading: 'RevisionConfiguration', words: 'Canary revision percent.' },
    ],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
] as const satisfies readonly Requirement[];
