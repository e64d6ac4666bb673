/** The expectations of the section Verify. They belong to the page, so that other sections do not discard them. */
import { useRef, useState } from 'preact/hooks';
import type { Expectation } from '../../control/verification-format.ts';
import type { VerificationResult } from '../../control/views.ts';
import { requestJson } from './send-request.ts';

interface State {
  readonly expectations: readonly Expectation[];
  /** Of the last check. Absent if the expectations have changed since. */
  readonly result?: VerificationResult;
}

export interface Verification extends State {
  /** Adds an expectation and checks all. Rejects, and adds nothing, if the mock refuses it. */
  readonly add: (expectation: Expectation) => Promise<void>;
  readonly remove: (expectation: Expectation) => Promise<void>;
  /** `options`: those of `POST /_mock/verify` besides the requests. */
  readonly check: (options: object) => Promise<void>;
}

export function useVerification(): Verification {
  const [state, setState] = useState<State>({ expectations: [] });
  const latest = useRef(state);
  const queue = useRef(Promise.resolve());
  const update = (next: State): void => {
    latest.current = next;
    setState(next);
  };
  /** One change after the other, so that none is lost while the mock responds to another one. */
  const change = (next: (current: State) => Promise<State>): Promise<void> => {
    const previous = queue.current;
    const applied = async (): Promise<void> => {
      await previous;
      update(await next(latest.current));
    };
    const done = applied();
    queue.current = done.catch(() => undefined);
    return done;
  };
  return {
    ...state,
    add: (expectation) => change(({ expectations }) => checked([...expectations, expectation])),
    remove: (expectation) =>
      change(async ({ expectations }) => ({ expectations: expectations.filter((each) => each !== expectation) })),
    async check(options) {
      const { expectations } = latest.current;
      const next = await checked(expectations, options);
      // It may have waited for requests.
      if (latest.current.expectations === expectations) update(next);
    },
  };
}

async function checked(requests: readonly Expectation[], options: object = {}): Promise<State> {
  const result = await requestJson<VerificationResult>('verify', 'POST', { requests, ...options });
  return { expectations: requests, result };
}
