/** Takes what is provided where it can be had. */
import { NotTried } from '../../target/violation.ts';

/** undefined where the target has none of it. */
export async function undefinedIfNotTried<T>(provided: Promise<T>): Promise<T | undefined> {
  try {
    return await provided;
  } catch (error) {
    if (error instanceof NotTried) return undefined;
    throw error;
  }
}
