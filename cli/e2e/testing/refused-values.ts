/** What picky deployments refuse: values of agents, of created resources and of data. */
import { listOf } from './picky-target.ts';
import type { Fields, Refuses, RefusesData } from './picky-target.ts';

export const someTrigger =
  (refuses: (trigger: Fields, configuration: Fields) => boolean): Refuses =>
  (body, { path }) =>
    path.includes('/agents/') &&
    listOf(body.spec['triggers']).some((trigger) => refuses(trigger, (trigger['configuration'] ?? {}) as Fields));

export const someVariable =
  (refuses: (name: string, value: string, variable: Fields) => boolean): Refuses =>
  (body, { path }) =>
    path.includes('/agents/') &&
    listOf((body.spec['runtime'] as Fields | undefined)?.['envs']).some((variable) => {
      const { name, value = '' } = variable;
      return typeof name === 'string' && typeof value === 'string' && refuses(name, value, variable);
    });

export const create =
  (collection: string, refuses: (spec: Fields, metadata: Fields) => boolean): Refuses =>
  (body, request) =>
    request.method === 'POST' && request.path.endsWith(`/${collection}`) && refuses(body.spec, body.metadata);

export const hasSchedule = (isAllowed: RegExp) =>
  someTrigger(
    (_, { schedule }) => typeof schedule === 'string' && /^\S+( \S+){4}$/.test(schedule) && !isAllowed.test(schedule),
  );

export const someRevision =
  (refuses: (revision: Fields) => boolean): Refuses =>
  ({ spec }, { path }) =>
    path.includes('/agents/') && refuses((spec['revision'] ?? {}) as Fields);

export const someRuntime =
  (refuses: (runtime: Fields) => boolean): Refuses =>
  ({ spec }, { path }) =>
    path.includes('/agents/') && refuses((spec['runtime'] ?? {}) as Fields);

export const isText = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);

export const hasEqualIds: Refuses = (body, { path }) => {
  const ids = listOf(body.spec['triggers']).flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []));
  return path.includes('/agents/') && new Set(ids).size < ids.length;
};

export const hasTwoOfOneType: Refuses = (body, { path }) => {
  const types = listOf(body.spec['triggers']).map(({ type }) => type);
  return path.includes('/agents/') && new Set(types).size < types.length;
};

export const labelsBeyond =
  (count: number, length: number): Refuses =>
  ({ metadata: { labels } }) => {
    const texts = Object.entries(labels ?? {});
    return texts.length > count || texts.flat().some((text) => String(text).length > length);
  };

/** Of files in a sandbox: by path relative to the directory of a request. */
export const someFile =
  (refuses: (path: string, content: string) => boolean): RefusesData =>
  ({ files }, { path }) =>
    path.includes('/filesystem/tree/') &&
    Object.entries(files ?? {}).some(([file, content]) => refuses(`${path}/${file}`, String(content)));

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

export const inputsBeyond =
  (max: number): RefusesData =>
  ({ inputs }) =>
    typeof inputs === 'string' && inputs.length > max;

export const messagesBeyond =
  (max: number): RefusesData =>
  ({ messages }, { path }) =>
    path.endsWith('/completions') && lengthOf(messages) > max;

export const tasksBeyond =
  (max: number): RefusesData =>
  ({ tasks }) =>
    lengthOf(tasks) > max;
