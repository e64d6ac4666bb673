/** Rules of querying agents and models. */
import type { Requirement } from './requirement.ts';

export const inferenceRequirements = [
  {
    id: 'inference.agents.answers',
    level: 'must',
    rule: 'POST /{workspace}/agents/{agent} with {inputs} is answered 2xx by an enabled, deployed agent.',
    needs: ['agent'],
    operations: ['queryAgent'],
  },
  {
    id: 'inference.agents.threads-separate',
    level: 'must',
    rule: 'With a thread id header, a later call of the same thread may draw on the earlier ones; another thread never sees them.',
    needs: ['agent'],
    operations: ['queryAgent'],
  },
  {
    id: 'inference.agents.no-thread-no-memory',
    level: 'must',
    rule: 'Without the header no memory is kept or used.',
    needs: ['agent'],
    operations: ['queryAgent'],
  },
  {
    id: 'inference.models.answers',
    level: 'must',
    rule: "POST /{workspace}/models/{model} reaches the model API: not answered 404, 405 or 5xx (what body it wants is the model's).",
    needs: ['model'],
    operations: ['queryModel'],
  },
  {
    id: 'inference.models.chat-completions',
    level: 'must',
    rule: 'POST /{workspace}/models/{model}/chat/completions with messages is answered 2xx.',
    needs: ['model'],
    operations: ['createChatCompletion'],
  },
  {
    id: 'inference.undocumented.answers',
    level: 'observe',
    rule: 'Unknown workload; body without inputs, messages or tasks; tasks that is empty or has non-objects; response shapes; streaming.',
    needs: [],
    operations: ['queryAgent', 'queryModel', 'createChatCompletion', 'createJobExecution'],
  },
] as const satisfies readonly Requirement[];
