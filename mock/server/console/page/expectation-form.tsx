/** The form for an expected request. */
import type { Expectation } from '../../control/verification-format.ts';
import { numbersOf, valuesOf } from './form-values.ts';
import type { Values } from './form-values.ts';
import { OperationField } from './operation-field.tsx';

export function ExpectationForm({ add }: { add: (values: Values) => Promise<boolean> }) {
  return (
    <form class="panel" aria-label="New expectation" onSubmit={(event) => void add(valuesOf(event))}>
      <h2>New expectation</h2>
      <div class="fields">
        <OperationField list="expected-operations" />
        <label>
          Method
          <input name="method" placeholder="Any" />
        </label>
        <label>
          Path, with * as a wildcard
          <input name="path" placeholder="/v0/agents/*" />
        </label>
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

/** The mock validates the values. Throws if the body is not JSON. */
export function expectationOf({ body, ...values }: Values): Expectation {
  return {
    ...values,
    ...numbersOf(values, ['times', 'atLeast', 'atMost']),
    ...(body !== undefined && { body: parseBody(body) }),
  } as Expectation;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`The body is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
