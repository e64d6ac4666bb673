/** jobs.executions.billed: what an execution does to the cost of its job. */
import { cannot, choice, type RowsOf } from '../row.ts';

export const executionRows: RowsOf<'jobs.executions.billed'> = {
  'the cost of a job after an execution': choice('higher', {
    lower: cannot('the mock bills every execution, and past usage never changes'),
  }),
};
