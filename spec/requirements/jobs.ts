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
  {
    id: 'jobs.executions.billed',
    level: 'observe',
    since: '0.1.0',
    rule: 'Whether an execution raises or lowers the cost of its job.',
    sources: [
      { heading: 'What the service does', words: 'Jobs are executed through an executions endpoint.' },
      { heading: 'What the service does', words: 'cost and usage per account, grouped and paged as a timeseries' },
    ],
    needs: ['job', 'write'],
    operations: ['createJobExecution', 'getAccountMetrics'],
  },
] as const satisfies readonly Requirement[];
