/** The form for an expected request. */
import type { Expectation } from '../../control/verification-format.ts';
import { numbersOf, valuesOf } from './form-values.ts';
import type { Values } from './form-values.ts';
import { MatchFields, matchOf } from './match-fields.tsx';

export function ExpectationForm({ add }: { add: (values: Values) => Promise<boolean> }) {
  return (
    <form class="panel" aria-label="New expectation" onSubmit={(event) => void add(valuesOf(event))}>
      <h2>New expectation</h2>
      <div class="fields">
        <MatchFields list="expected-operations" />
        <label>
          Status or class
          <input name="status" placeholder="4xx" />
        </label>
        <label>
          Exactly, times
          <input name="times" inputMode="numeric" />
        </label>
        <label>
          At least, times
          <input name="atLeast" inputMode="numeric" placeholder="1" />
        </label>
        <label>
          At most, times
          <input name="atMost" inputMode="numeric" placeholder="No limit" />
        </label>
      </div>
      <label>
        Body (JSON); members that are not listed may have any value
        <textarea name="body" rows={3} spellcheck={false} placeholder={'{"spec": {"enabled": false}}'} />
      </label>
      <button class="main">Add and check</button>
    </form>
  );
}

/** The mock validates the values. Throws if the query or the body is not JSON. */
export function expectationOf(values: Values): Expectation {
  const { status } = values;
  return {
    ...matchOf(values),
    ...(status !== undefined && { status }),
    ...numbersOf(values, ['times', 'atLeast', 'atMost']),
  };
}
