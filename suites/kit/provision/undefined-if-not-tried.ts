/** Makes a missing prerequisite optional. */
import { NotTried } from '../../target/violation.ts';

/** In place of what the target does not provide, the reason why not. */
export async function reasonIfNotTried<T extends object>(provided: Promise<T>): Promise<T | string> {
  try {
    return await provided;
  } catch (error) {
    if (error instanceof NotTried) return error.message;
    throw error;
  }
}

/** Undefined if the target does not provide it. */
export async function undefinedIfNotTried<T>(provided: Promise<T>): Promise<T | undefined> {
  try {
    return await provided;
  } catch (error) {
    if (error instanceof NotTried) return undefined;
    throw error;
  }
}
