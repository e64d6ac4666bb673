/** Rules for executing jobs. */
import type { Requirement } from './requirement.ts';

export const jobsRequirements = [
  {
    id: 'jobs.executions.accepted',
    level: 'must',
    since: '0.1.0',
    rule: 'POST {api_host}/{workspace}/jobs/{jobName}/executions with {tasks: [...]} returns 2xx; tasks are arbitrary objects.',
    sources: [
      {
        heading: 'Inference endpoints (`{run_url}`)',
        words: 'JSON `{tasks: array of objects}`, each object holding arbitrary task arguments.',
      },
    ],
    needs: ['job', 'write'],
    operations: ['createJobExecution'],
  },
] as const satisfies readonly Requirement[];
