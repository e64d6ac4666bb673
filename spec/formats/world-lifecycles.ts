/** The part of a world file that says how deployments, tasks, instances and sandboxes behave over time. */
import { z } from 'zod';
import { count, text } from './parts.ts';
import { DURATION_FORM, parseDuration, parseDurationRange, RANGE_FORM } from './durations.ts';
import { json, type DeepReadonly } from './readonly-json.ts';

/** A hundred years: later instants could not be printed, and such a world could not be restored from a snapshot. */
export const MAX_PLANNED_MS = 36_525 * 86_400_000;
const UP_TO = 'at most 36525d, a hundred years';

const duration = z
  .string({ error: DURATION_FORM })
  .refine((value) => parseDuration(value) !== undefined, { error: DURATION_FORM, abort: true })
  .refine((value) => (parseDuration(value) ?? 0) <= MAX_PLANNED_MS, { error: UP_TO });

const durationRange = z
  .string({ error: RANGE_FORM })
  .refine((value) => parseDurationRange(value) !== undefined, { error: RANGE_FORM, abort: true })
  .refine((value) => (parseDurationRange(value)?.max ?? 0) <= MAX_PLANNED_MS, { error: UP_TO });

const positiveInteger = z.int().min(1);
const probability = z
  .number({ error: 'a number from 0 to 1' })
  .min(0, { error: 'a number from 0 to 1' })
  .max(1, { error: 'a number from 0 to 1' });
const resourcePath = /^(?:agents|functions|models|sandboxes|jobs|volumes|vpcs|customdomains)\/[a-z0-9-]{1,49}$/;

/** The phases of a deployment that can fail. */
const failingPhases = ['uploading', 'building', 'built', 'deploying'] as const;

/** Resources without a build. */
const provisioned = /^(?:volumes|vpcs|customdomains)\//;

const failure = z
  .strictObject({
    resource: z
      .string()
      .regex(resourcePath, { error: 'a collection and a name, such as agents/shop' })
      .describe('Collection and name, such as agents/shop. Default: every resource.')
      .exactOptional(),
    workspace: text.describe('Workspace of the resource. Default: any.').exactOptional(),
    at: z
      .enum(failingPhases)
      .describe('The phase at whose end the deployment fails. Volumes, VPCs and custom domains only have deploying.'),
    probability: probability
      .describe('How likely a deployment fails; drawn from the seed. Default: 1.')
      .exactOptional(),
    times: positiveInteger.describe('How many deployments fail. Default: all.').exactOptional(),
    message: text
      .describe('The reason, in the event of the failure. Default: one that names the phase.')
      .exactOptional(),
  })
  .refine(({ resource = '', at }) => at === 'deploying' || !provisioned.test(resource), {
    path: ['at'],
    error: 'deploying, the only phase of volumes, VPCs and custom domains',
  });

const phase = (what: string, usual: string) =>
  durationRange.describe(`Time ${what}: a duration, or a range to draw from. Default: ${usual}.`).exactOptional();

const deploy = z.strictObject({
  uploading: phase('for uploading the source', '100ms'),
  building: phase('for building the image', '400ms'),
  built: phase('between the build and the deployment', '100ms'),
  deploying: phase('for deploying', '400ms'),
  deactivating: phase('for deactivating', '300ms'),
  deleting: phase('for deleting', '400ms'),
  failures: z
    .array(failure)
    .describe('Deployments that end as FAILED; the first that applies is used. Default: none.')
    .exactOptional(),
});

const task = z.strictObject({
  job: text.describe('Name of the job. Default: every job.').exactOptional(),
  workspace: text.describe('Workspace of the job. Default: any.').exactOptional(),
  arguments: z
    .record(z.string(), json)
    .describe('What the arguments of the task have; other members may have any value. Default: any arguments.')
    .exactOptional(),
  takes: durationRange
    .describe('Duration of each attempt: a duration, or a range to draw from. Default: 500ms.')
    .exactOptional(),
  failures: z
    .union([count, z.literal('all')], { error: 'a whole number, 0 or more, or "all"' })
    .describe('How many attempts of a task fail before one succeeds, or `all`. Default: 0.')
    .exactOptional(),
  probability: probability
    .describe('How likely each further attempt fails; drawn from the seed. Default: 0.')
    .exactOptional(),
  message: text.describe('The error of a failed attempt.').exactOptional(),
});

const instances = z.strictObject({
  coldStart: durationRange
    .describe('How long the first request to an agent or function without running instances waits. Default: 0ms.')
    .exactOptional(),
  idleAfter: duration
    .describe('How long instances run after the last request; `minScale` instances always run. Default: 5m.')
    .exactOptional(),
  excess: z
    .enum(['wait', 'refuse'])
    .describe(
      'What happens to requests to an agent, function or model that exceed `maxScale`, each instance handling one at a time: they wait, or get 429. Default: wait.',
    )
    .exactOptional(),
});

const sandboxes = z.strictObject({
  sleepAfter: duration
    .describe(
      'How long a sandbox runs after its last request. It then sleeps until the next one. Default: it never sleeps.',
    )
    .exactOptional(),
  wakeUp: durationRange
    .describe('How long the first request to a sleeping sandbox waits. Default: 0ms.')
    .exactOptional(),
});

/** Keys of a world file. Without any of them nothing fails, and nothing waits longer than usual. */
export const lifecycleKeys = {
  deploy: deploy
    .describe(
      "Deployments: duration of their phases, by the world's clock, and which fail. Default: a second, none fails.",
    )
    .exactOptional(),
  tasks: z
    .array(task)
    .describe('Tasks of jobs: duration and failures; the first match applies. Default: each succeeds after 500ms.')
    .exactOptional(),
  instances: instances.describe('Instances of agents, functions and models: cold starts and limits.').exactOptional(),
  sandboxes: sandboxes.describe('When sandboxes sleep and how they wake up.').exactOptional(),
};

export const lifecyclesSchema = z.strictObject(lifecycleKeys);

export type LifecyclesFile = DeepReadonly<z.infer<typeof lifecyclesSchema>>;
export type DeployFile = DeepReadonly<z.infer<typeof deploy>>;
export type FailureFile = DeepReadonly<z.infer<typeof failure>>;
export type TaskFile = DeepReadonly<z.infer<typeof task>>;
