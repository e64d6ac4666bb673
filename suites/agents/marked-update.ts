/** Updates with a distinct mark in every string, and invalid variants of them. */
import { limits } from '../../spec/values.ts';
import type { Run } from '../engine/conforms.ts';
import { bodyOf } from '../kit/agents/test-agent.ts';
import type { AgentBody, Spec, TestAgent } from '../kit/agents/test-agent.ts';

export interface Marked {
  readonly mark: number;
  readonly body: AgentBody;
}

export const parts = ['displayName', 'labels', 'envs', 'triggers', 'enabled', 'revision'] as const;
export type Part = (typeof parts)[number];

export function markedUpdate(run: Run, testAgent: TestAgent, included: readonly Part[], mark: number): Marked {
  return { mark, body: bodyOf(run, testAgent, ...markedParts(included, mark)) };
}

/** The spec and the metadata. */
export function markedParts(included: readonly Part[], mark: number): readonly [Spec, object] {
  const text = `assay-m${mark}-x`;
  const metadata = {
    displayName: { displayName: text },
    labels: { labels: { assay: text, [`assay-${mark}`]: text } },
  };
  const spec = {
    envs: {
      runtime: {
        envs: [
          { name: 'ASSAY', value: text },
          { name: `ASSAY_${mark}`, value: text },
        ],
      },
    },
    triggers: { triggers: [{ id: text, type: 'http', configuration: { path: `/${text}` } }] },
    enabled: { enabled: false },
    revision: { revision: { stickySessionTtl: mark } },
  };
  return [picked(spec, included) as Spec, picked(metadata, included)];
}

function picked(from: { readonly [P in Part]?: object }, included: readonly Part[]): object {
  return Object.assign({}, ...included.map((part) => from[part] ?? {})) as object;
}

/** The marks in all strings of a value. */
export function findMarks(value: unknown): number[] {
  const found = JSON.stringify(value).matchAll(/assay-m(\d+)-x/g);
  return [...new Set([...found].map(([, mark]) => Number(mark)))];
}

export const invalidities = [
  'no spec',
  'no metadata',
  'generation',
  'memory',
  'envs',
  'env value',
  'trigger type',
  'schedule',
  'timeout',
  'volume',
  'policies',
  'repository',
  'revision',
] as const;
export type Invalidity = (typeof invalidities)[number];

/** On mk2 a timeout may be ignored, whatever its value. */
export const mustBeRefused = (invalidity: Invalidity, { generation }: TestAgent): boolean =>
  invalidity !== 'timeout' || generation === 'mk3';

export function makeInvalid({ metadata, spec }: Marked['body'], invalidity: Invalidity): unknown {
  const { triggers = [] } = spec as { triggers?: readonly object[] };
  const withSpec = (invalid: object) => ({ metadata, spec: { ...spec, ...invalid } });
  const withRuntime = (invalid: object) => ({ metadata, spec: { ...spec, runtime: { ...spec.runtime, ...invalid } } });
  const withTrigger = (invalid: object) => ({ metadata, spec: { ...spec, triggers: [...triggers, invalid] } });
  const bodies: { readonly [F in Invalidity]: () => unknown } = {
    'no spec': () => ({ metadata }),
    'no metadata': () => ({ spec }),
    generation: () => withRuntime({ generation: 'mk9' }),
    memory: () => withRuntime({ memory: 'large' }),
    envs: () => withRuntime({ envs: 'ASSAY=text' }),
    'env value': () => withRuntime({ envs: [{ name: 'ASSAY', value: 5 }] }),
    'trigger type': () => withTrigger({ type: 'assay', configuration: { path: '/assay' } }),
    schedule: () => withTrigger({ type: 'cron', configuration: { schedule: '0 9 *' } }),
    timeout: () =>
      withTrigger({ type: 'http-async', configuration: { path: '/assay', timeout: limits.triggerTimeoutSeconds + 1 } }),
    volume: () => withSpec({ region: 'assay-none', volumes: [{ name: 'assay-none', mountPath: '/mnt/assay' }] }),
    policies: () => withSpec({ policies: 'assay' }),
    repository: () => withSpec({ repository: 'assay' }),
    revision: () => withSpec({ revision: { stickySessionTtl: 'long' } }),
  };
  return bodies[invalidity]();
}
