/** Generated steps of a sequence of updates, and the sequences that are tried first. */
import * as fc from 'fast-check';
import { invalidities, parts } from './marked-update.ts';
import type { Invalidity, Part } from './marked-update.ts';

/**
 * `agent` is an index in the list of agents; `included`: the parts of the update. `attach` sends every part and a
 * volume to the first agent; `empty` sends empty labels and lists.
 */
export type Step =
  | { readonly action: 'update'; readonly agent: number; readonly included: readonly Part[] }
  | { readonly action: 'repeat' | 'empty'; readonly agent: number }
  | { readonly action: 'attach' }
  | {
      readonly action: 'update wrongly';
      readonly agent: number;
      readonly included: readonly Part[];
      readonly invalidity: Invalidity;
    }
  | { readonly action: 'update under another name'; readonly agent: number; readonly included: readonly Part[] }
  | { readonly action: 'update unknown agent'; readonly included: readonly Part[] }
  | { readonly action: 'update at once'; readonly agent: number; readonly each: readonly (readonly Part[])[] };

export type StepOf<Action extends Step['action']> = Extract<Step, { readonly action: Action }>;

export function stepFor(agents: number): fc.Arbitrary<Step> {
  const agent = fc.nat({ max: agents - 1 });
  const included = fc.subarray([...parts]);
  const invalidity = fc.constantFrom(...invalidities);
  const each = fc.array(included, { minLength: 2, maxLength: 4 });
  const constant = <const Action extends Step['action']>(step: Action) => fc.constant<Action>(step);
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ action: constant('update'), agent, included }) },
    { weight: 1, arbitrary: fc.record({ action: constant('repeat'), agent }) },
    { weight: 1, arbitrary: fc.record({ action: constant('attach') }) },
    { weight: 1, arbitrary: fc.record({ action: constant('empty'), agent }) },
    { weight: 3, arbitrary: fc.record({ action: constant('update wrongly'), agent, included, invalidity }) },
    { weight: 1, arbitrary: fc.record({ action: constant('update under another name'), agent, included }) },
    { weight: 1, arbitrary: fc.record({ action: constant('update unknown agent'), included }) },
    { weight: 1, arbitrary: fc.record({ action: constant('update at once'), agent, each }) },
  );
}

/**
 * Everything, then nothing or only empty values; each invalidity, for an agent with nothing and one with everything;
 * two agents; concurrent updates; many in a row.
 */
export function examplesFor(agents: number): Step[][] {
  const other = agents - 1;
  const all = (agent: number): Step => ({ action: 'update', agent, included: parts });
  const nothing = (agent: number): Step => ({ action: 'update', agent, included: [] });
  const unknownAgent: Step = { action: 'update unknown agent', included: parts };
  const invalidUpdates = (agent: number): Step[] => [
    ...invalidities.map((invalidity): Step => ({ action: 'update wrongly', agent, included: parts, invalidity })),
    { action: 'update under another name', agent, included: parts },
  ];
  return [
    [all(0), nothing(0)],
    [all(0), { action: 'empty', agent: 0 }],
    [{ action: 'attach' }, { action: 'repeat', agent: 0 }, nothing(0)],
    invalidUpdates(0),
    [all(other), ...invalidUpdates(other), nothing(other), ...invalidUpdates(other)],
    [all(0), unknownAgent, unknownAgent, nothing(0)],
    [all(0), all(other), nothing(0), { action: 'repeat', agent: other }],
    [{ action: 'update at once', agent: 0, each: [parts, [], ['labels']] }, nothing(0)],
    [...Array.from({ length: 5 }, () => all(0)), nothing(0), nothing(0)],
  ];
}
