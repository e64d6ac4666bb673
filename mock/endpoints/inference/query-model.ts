/** Calls a model with any body. */
import { type Call, type Endpoint } from '../endpoint.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { requireSuccess } from '../../domains/inference/agent-response.ts';
import { generateReply } from '../../domains/inference/generate-reply.ts';
import { recordInvocation } from '../../domains/inference/invocations.ts';
import { nameOf, servingWorkload, type Workload } from '../../domains/resources/workloads.ts';
import { onInstance } from './on-instance.ts';

export const queryModel: Endpoint<'queryModel'> = (call) => {
  const workload = servingWorkload(call.world, call.workspace, 'models', call.path.model);
  return onInstance(call, workload, (current) => respond(call, current));
};

async function respond(
  { world, workspace, path, body, onLeave }: Call<'queryModel'>,
  workload: Workload,
): Promise<Reply> {
  const text = questionIn(body);
  const reply = generateReply(world, { workspace: workspace.name, workload: nameOf(workload), text, earlier: [] });
  recordInvocation(world, workload, { by: 'call', inputs: text, status: reply.error?.status ?? 200 });
  if (reply.delayMs > 0) await world.timers.wait(reply.delayMs, onLeave);
  requireSuccess(reply);
  return ok(reply.body ?? { model: path.model, inputs: body, outputs: reply.text });
}

/** The string in `inputs`, or else the whole body as JSON. */
function questionIn(body: unknown): string {
  const inputs = typeof body === 'object' && body !== null && 'inputs' in body ? body.inputs : undefined;
  return typeof inputs === 'string' ? inputs : JSON.stringify(body);
}
