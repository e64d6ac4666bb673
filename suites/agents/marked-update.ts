/** Updates that can be told from one another by a mark in every text, and the same with one thing wrong. */
import { bodyOf } from '../kit/agents/subject.ts';
import type { AgentBody, Spec, Subject } from '../kit/agents/subject.ts';

export interface Marked {
  readonly mark: number;
  readonly body: AgentBody;
}

export const parts = ['displayName', 'labels', 'envs', 'triggers', 'enabled', 'revision'] as const;
export type Part = (typeof parts)[number];

export function marked(subject: Subject, has: readonly Part[], mark: number): Marked {
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
  const body = bodyOf(subject, picked(spec, has) as Spec, picked(metadata, has));
  return { mark, body };
}

function picked(from: { readonly [P in Part]?: object }, has: readonly Part[]): object {
  return Object.assign({}, ...has.map((part) => from[part] ?? {})) as object;
}

/** The marks in any text of a value. */
export function marksIn(value: unknown): number[] {
  const found = JSON.stringify(value).matchAll(/assay-m(\d+)-x/g);
  return [...new Set([...found].map(([, mark]) => Number(mark)))];
}

export const faults = [
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
export type Fault = (typeof faults)[number];

/** On mk2 a timeout may be ignored, whatever it is. */
export const mustBeRefused = (fault: Fault, { generation }: Subject): boolean =>
  fault !== 'timeout' || generation === 'mk3';

export function faulty({ metadata, spec }: Marked['body'], fault: Fault): unknown {
  const { triggers = [] } = spec as { triggers?: readonly object[] };
  const withSpec = (wrong: object) => ({ metadata, spec: { ...spec, ...wrong } });
  const withRuntime = (wrong: object) => ({ metadata, spec: { ...spec, runtime: { ...spec.runtime, ...wrong } } });
  const withTrigger = (wrong: object) => ({ metadata, spec: { ...spec, triggers: [...triggers, wrong] } });
  const bodies: { readonly [F in Fault]: () => unknown } = {
    'no spec': () => ({ metadata }),
    'no metadata': () => ({ spec }),
    generation: () => withRuntime({ generation: 'mk9' }),
    memory: () => withRuntime({ memory: 'large' }),
    envs: () => withRuntime({ envs: 'ASSAY=text' }),
    'env value': () => withRuntime({ envs: [{ name: 'ASSAY', value: 5 }] }),
    'trigger type': () => withTrigger({ type: 'assay', configuration: { path: '/assay' } }),
    schedule: () => withTrigger({ type: 'cron', configuration: { schedule: '0 9 *' } }),
    timeout: () => withTrigger({ type: 'http-async', configuration: { path: '/assay', timeout: 901 } }),
    volume: () => withSpec({ region: 'assay-none', volumes: [{ name: 'assay-none', mountPath: '/mnt/assay' }] }),
    policies: () => withSpec({ policies: 'assay' }),
    repository: () => withSpec({ repository: 'assay' }),
    revision: () => withSpec({ revision: { stickySessionTtl: 'long' } }),
  };
  return bodies[fault]();
}
