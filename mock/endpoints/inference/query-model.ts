/** Calls a model with any body. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { requireSuccess } from '../../domains/inference/agent-response.ts';
import { generateReply } from '../../domains/inference/generate-reply.ts';
import { recordInvocation } from '../../domains/inference/invocations.ts';
import { nameOf, servingWorkload } from '../../domains/resources/workloads.ts';

export const queryModel: Endpoint<'queryModel'> = async (call) => {
  const { world, workspace, path, body } = call;
  const workload = servingWorkload(world, workspace, 'models', path.model);
  const text = questionIn(body);
  const reply = generateReply(world, { workspace: workspace.name, workload: nameOf(workload), text, earlier: [] });
  recordInvocation(world, workload, { by: 'call', inputs: text, status: reply.error?.status ?? 200 });
  if (reply.delayMs > 0) await world.timers.wait(reply.delayMs, call.onLeave);
  requireSuccess(reply);
  return ok(reply.body ?? { model: path.model, inputs: body, outputs: reply.text });
};

/** The string in `inputs`, or else the whole body as JSON. */
function questionIn(body: unknown): string {
  const inputs = typeof body === 'object' && body !== null && 'inputs' in body ? body.inputs : undefined;
  return typeof inputs === 'string' ? inputs : JSON.stringify(body);
}
