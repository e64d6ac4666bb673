/** The executions of a job, for the addresses below the management prefix and on the host alike. */
import type { OperationId } from '../../../spec/generated/types.ts';
import { type Call, type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { requireAtMost } from '../../http/limits.ts';
import { notFound } from '../../http/problems.ts';
import { createExecution, findExecution, listExecutions } from '../../domains/resources/executions.ts';
import { placeOf } from '../../domains/resources/kinds.ts';
import type { Place } from '../../domains/resources/kind.ts';
import { servingWorkload } from '../../domains/resources/workloads.ts';
import { recordInvocation } from '../../domains/inference/invocations.ts';
import { existing } from '../uniform.ts';

type CreateId = 'createExecutionOfJob' | 'createJobExecution';
type ListId = 'listJobExecutionsOfJob' | 'listJobExecutions';
type GetId = 'getExecutionOfJob' | 'getJobExecution';

/** Throws unless the job is deployed. */
export function create<Id extends CreateId>(): Endpoint<Id> {
  return (call) => {
    const { place, name } = jobOf(call);
    const { world, workspace, body, bodyBytes = 0, credential } = call;
    requireAtMost('tasks', body.tasks.length, 'tasks');
    const workload = servingWorkload(world, workspace, 'jobs', name);
    const by = { caller: credential.caller.id, bytes: bodyBytes };
    const execution = createExecution(world, place, workload.resource, body.tasks, by);
    recordInvocation(world, workload, { by: 'call', inputs: JSON.stringify(body.tasks), status: 200 });
    return ok(execution);
  };
}

export function list<Id extends ListId>(): Endpoint<Id> {
  return (call) => {
    const { place, name } = jobOf(call);
    return ok(listExecutions(call.world, place, name));
  };
}

export function get<Id extends GetId>(): Endpoint<Id> {
  return (call) => {
    const { place, name } = jobOf(call);
    const { executionId } = call.path;
    const execution = findExecution(call.world, place, name, executionId);
    if (execution === undefined) throw notFound('Execution', executionId);
    return ok(execution);
  };
}

function jobOf<Id extends OperationId>(call: Call<Id>): { readonly place: Place; readonly name: string } {
  const place = placeOf('jobs', call.workspace);
  return { place, name: existing(call, place).name };
}
