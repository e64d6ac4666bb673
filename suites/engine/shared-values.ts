/** Typed values that the cases of one run share, such as an agent that several of them update. */
import { ResponsesTooLargeError } from '../target/transport.ts';
import type { Run } from './run.ts';

type Scope = Pick<Run, 'shared'>;

export interface SharedValues<T> {
  /** The value of this key in this run; `make` is called only for the first request of the key. */
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

/** One value per run and key. */
export function sharedValues<T>({ keepsErrors = true }: SharedOptions = {}): SharedValues<T> {
  const byRun = new WeakMap<object, Map<string, Promise<T>>>();
  return {
    get({ shared }, key, make) {
      const values = byRun.get(shared) ?? new Map<string, Promise<T>>();
      byRun.set(shared, values);
      const known = values.get(key);
      if (known !== undefined) return known;
      const value = make();
      values.set(key, value);
      // The case begins again when there is more memory.
      value.catch((error: unknown) => {
        if (!keepsErrors || error instanceof ResponsesTooLargeError) values.delete(key);
      });
      return value;
    },
  };
}

/** One value per run. */
export function sharedValue<T>(options: SharedOptions = {}): SharedValue<T> {
  const values = sharedValues<T>(options);
  return { get: (run, make) => values.get(run, '', make) };
}
