/** Typed values that the cases of one run share, such as an agent that several of them update. */
import { ResponsesTooLargeError } from '../target/transport.ts';
import { OperationsMissing } from '../target/violation.ts';
import type { Run } from './run.ts';

type Scope = Pick<Run, 'shared'>;

export interface SharedValues<T> {
  /** The value of this key in this run; `make` is called for the first request of the key, and again if the rule of that one ended. */
  get(run: Scope, key: string, make: () => Promise<T>): Promise<T>;
}

export interface SharedValue<T> {
  /** The value in this run; `make` is called only for the first request. */
  get(run: Scope, make: () => Promise<T>): Promise<T>;
}

export interface SharedOptions {
  /** Whether later requests get the error of the first one. Defaults to true. */
  readonly keepsErrors?: boolean;
}

/** Whether another rule may get the value, or the same one later: when there is more memory, the case begins again. */
const isOfRule = (error: unknown): boolean =>
  error instanceof ResponsesTooLargeError || error instanceof OperationsMissing;

/** One value per run and key. */
export function sharedValues<T>({ keepsErrors = true }: SharedOptions = {}): SharedValues<T> {
  const byRun = new WeakMap<object, Map<string, Promise<T>>>();
  const get: SharedValues<T>['get'] = ({ shared }, key, make) => {
    const values = byRun.get(shared) ?? new Map<string, Promise<T>>();
    byRun.set(shared, values);
    const known = values.get(key);
    const value = known ?? make();
    if (known === undefined) {
      values.set(key, value);
      value.catch((error: unknown) => {
        if (!keepsErrors || isOfRule(error)) values.delete(key);
      });
    }
    return value.catch((error: unknown) => {
      // The rule that began to make it ended; this one may be about other operations.
      if (known !== undefined && error instanceof OperationsMissing) return get({ shared }, key, make);
      throw error;
    });
  };
  return { get };
}

/** One value per run. */
export function sharedValue<T>(options: SharedOptions = {}): SharedValue<T> {
  const values = sharedValues<T>(options);
  return { get: (run, make) => values.get(run, '', make) };
}
