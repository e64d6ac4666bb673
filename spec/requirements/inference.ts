/** Rules for querying agents and models. */
import type { Requirement } from './requirement.ts';

export const inferenceRequirements = [
  {
    id: 'inference.agents.answers',
    level: 'must',
    since: '0.1.0',
    rule: 'POST /{workspace}/agents/{agent} with {inputs} returns 2xx if the agent is enabled and deployed.',
    sources: [{ heading: 'Inference endpoints (`{run_url}`)', words: 'JSON `{inputs: string}`.' }],
    needs: ['agent'],
    operations: ['queryAgent'],
  },
  {
    id: 'inference.agents.threads-separate',
    level: 'must',
    since: '0.1.0',
    rule: 'A call with a thread id header may use earlier calls of the same thread, but never those of another thread.',
    sources: [{ heading: 'Inference endpoints (`{run_url}`)', words: 'The thread header enables conversation memory' }],
    needs: ['agent'],
    operations: ['queryAgent'],
  },
  {
    id: 'inference.agents.no-thread-no-memory',
    level: 'must',
    since: '0.1.0',
    rule: 'Without a thread id header, an agent neither stores nor uses memory.',
    sources: [{ heading: 'Inference endpoints (`{run_url}`)', words: 'without it the agent keeps and uses no memory' }],
    needs: ['agent'],
    operations: ['queryAgent'],
  },
  {
    id: 'inference.models.answers',
    level: 'must',
    since: '0.1.0',
    rule: 'POST /{workspace}/models/{model} reaches the model API: it returns neither 404, 405 nor 5xx (the body is specific to the model).',
    sources: [{ heading: 'Inference endpoints (`{run_url}`)', words: 'POST `/{workspace}/models/{model}`' }],
    needs: ['model'],
    operations: ['queryModel'],
  },
  {
    id: 'inference.models.chat-completions',
    level: 'must',
    since: '0.1.0',
    rule: 'POST /{workspace}/models/{model}/chat/completions with messages returns 2xx.',
    sources: [
      {
        heading: 'Inference endpoints (`{run_url}`)',
        words: 'JSON `{messages: array of {role: string, content: string}}`.',
      },
    ],
    needs: ['model'],
    operations: ['createChatCompletion'],
  },
  {
    id: 'inference.undocumented.answers',
    level: 'observe',
    since: '0.1.0',
    rule: 'Unknown workloads; bodies without inputs, messages or tasks; tasks that is empty or contains non-objects; response shapes; streaming.',
    sources: [{ heading: 'Inference endpoints (`{run_url}`)', words: 'Response body of an agent query: not shown.' }],
    needs: [],
    operations: ['queryAgent', 'queryModel', 'createChatCompletion', 'createJobExecution'],
  },
] as const satisfies readonly Requirement[];
