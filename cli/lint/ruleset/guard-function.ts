/** Checks what the functions of users return, and names the rule and the file of one that fails. */
import { isMap } from '../../../spec/ruleset/document/place.mjs';

/** A function threw an error or returned no list of findings. The message names the rule and the file. */
export class FunctionFailed extends Error {}

export type Check = (...words: unknown[]) => unknown;

/** `at`: the rule, such as `rules.my-rule`; `file`: for messages. The result throws FunctionFailed, or rejects with it. */
export function guardFunction(check: Check, at: string, file: string): Check {
  const where = `${at}: The function of ${file}`;
  const failed = (error: unknown): never => {
    throw new FunctionFailed(`${where} threw an error: ${error instanceof Error ? error.message : String(error)}`);
  };
  const checked = (results: unknown): unknown => {
    if (results === undefined || (Array.isArray(results) && results.every(isResult))) return results;
    throw new FunctionFailed(
      `${where} must return a list of { message, path }, or nothing; it returned ${excerpt(results)}.`,
    );
  };
  const guarded: Check = (...words) => {
    const results = attempt(() => check(...words), failed);
    return results instanceof Promise ? results.catch(failed).then(checked) : checked(results);
  };
  // Spectral reads the name, and validates options with a member of the function.
  Object.defineProperty(guarded, 'name', { value: check.name });
  return Object.assign(guarded, check);
}

function attempt(run: () => unknown, failed: (error: unknown) => never): unknown {
  try {
    return run();
  } catch (error) {
    return failed(error);
  }
}

const isResult = (value: unknown): boolean =>
  isMap(value) && typeof value['message'] === 'string' && (value['path'] === undefined || Array.isArray(value['path']));

const MAX_EXCERPT_LENGTH = 60;

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= MAX_EXCERPT_LENGTH ? text : `${text.slice(0, MAX_EXCERPT_LENGTH)}…`;
}
