/** Makes a missing prerequisite optional. */
import { NotTried } from '../../target/violation.ts';

/** Undefined if the target does not provide it. */
export async function undefinedIfNotTried<T>(provided: Promise<T>): Promise<T | undefined> {
  try {
    return await provided;
  } catch (error) {
    if (error instanceof NotTried) return undefined;
    throw error;
  }
}
