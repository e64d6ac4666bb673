/** Makes a missing prerequisite optional. */
import { LIFETIME } from '../../target/token-end.ts';
import { NotTried } from '../../target/violation.ts';

/**
 * Not the end of a credential: that is no missing prerequisite, and whatever a case would do without it, its reason would not be
 * the true one.
 */
const isPrerequisite = (error: unknown): error is NotTried => error instanceof NotTried && error.missing !== LIFETIME;

/** In place of what the target does not provide, the reason why not. */
export async function reasonIfNotTried<T extends object>(provided: Promise<T>): Promise<T | string> {
  try {
    return await provided;
  } catch (error) {
    if (isPrerequisite(error)) return error.message;
    throw error;
  }
}

/** Undefined if the target does not provide it. */
export async function undefinedIfNotTried<T>(provided: Promise<T>): Promise<T | undefined> {
  try {
    return await provided;
  } catch (error) {
    if (isPrerequisite(error)) return undefined;
    throw error;
  }
}
