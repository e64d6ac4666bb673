/** The steps of a sequence of updates: generated ones, and sequences that are tried first. */
import * as fc from 'fast-check';
import { faults, parts } from './marked-update.ts';
import type { Fault, Part } from './marked-update.ts';

/**
 * `agent` is a place in the list of agents; `has`: the parts that an update has. To attach is to send the first agent every
 * part and a volume, to empty is to send labels and lists of nothing.
 */
export type Step =
  | { readonly does: 'update'; readonly agent: number; readonly has: readonly Part[] }
  | { readonly does: 'repeat' | 'empty'; readonly agent: number }
  | { readonly does: 'attach' }
  | { readonly does: 'update wrongly'; readonly agent: number; readonly has: readonly Part[]; readonly fault: Fault }
  | { readonly does: 'update under another name'; readonly agent: number; readonly has: readonly Part[] }
  | { readonly does: 'update nobody'; readonly has: readonly Part[] }
  | { readonly does: 'update at once'; readonly agent: number; readonly each: readonly (readonly Part[])[] };

export type StepThat<Does extends Step['does']> = Extract<Step, { readonly does: Does }>;

export function stepFor(agents: number): fc.Arbitrary<Step> {
  const agent = fc.nat({ max: agents - 1 });
  const has = fc.subarray([...parts]);
  const fault = fc.constantFrom(...faults);
  const each = fc.array(has, { minLength: 2, maxLength: 4 });
  const does = <const Does extends Step['does']>(what: Does) => fc.constant<Does>(what);
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ does: does('update'), agent, has }) },
    { weight: 1, arbitrary: fc.record({ does: does('repeat'), agent }) },
    { weight: 1, arbitrary: fc.record({ does: does('attach') }) },
    { weight: 1, arbitrary: fc.record({ does: does('empty'), agent }) },
    { weight: 3, arbitrary: fc.record({ does: does('update wrongly'), agent, has, fault }) },
    { weight: 1, arbitrary: fc.record({ does: does('update under another name'), agent, has }) },
    { weight: 1, arbitrary: fc.record({ does: does('update nobody'), has }) },
    { weight: 1, arbitrary: fc.record({ does: does('update at once'), agent, each }) },
  );
}

/**
 * Everything, then nothing, or nothing but what is empty; each fault, in an agent that has nothing and in one that has
 * everything; one agent beside the other; several at once; many in a row.
 */
export function examplesFor(agents: number): Step[][] {
  const other = agents - 1;
  const all = (agent: number): Step => ({ does: 'update', agent, has: parts });
  const nothing = (agent: number): Step => ({ does: 'update', agent, has: [] });
  const nobody: Step = { does: 'update nobody', has: parts };
  const wrongly = (agent: number): Step[] => [
    ...faults.map((fault): Step => ({ does: 'update wrongly', agent, has: parts, fault })),
    { does: 'update under another name', agent, has: parts },
  ];
  return [
    [all(0), nothing(0)],
    [all(0), { does: 'empty', agent: 0 }],
    [{ does: 'attach' }, { does: 'repeat', agent: 0 }, nothing(0)],
    wrongly(0),
    [all(other), ...wrongly(other), nothing(other), ...wrongly(other)],
    [all(0), nobody, nobody, nothing(0)],
    [all(0), all(other), nothing(0), { does: 'repeat', agent: other }],
    [{ does: 'update at once', agent: 0, each: [parts, [], ['labels']] }, nothing(0)],
    [...Array.from({ length: 5 }, () => all(0)), nothing(0), nothing(0)],
  ];
}
