/** Rules for executing jobs. */
import type { Requirement } from './requirement.ts';

export const jobsRequirements = [
  {
    id: 'jobs.executions.accepted',
    level: 'must',
    rule: 'POST {api_host}/{workspace}/jobs/{jobName}/executions with {tasks: [...]} returns 2xx; tasks are arbitrary objects.',
    needs: ['job', 'write'],
    operations: ['createJobExecution'],
  },
] as const satisfies readonly Requirement[];
