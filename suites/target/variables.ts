/** Replaces references to environment variables, `${NAME}` and `${NAME:-default}`, in the values of a target file. */
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { formatPath } from '../../spec/formats/read-format.ts';
import { mayHoldSecret } from '../../spec/formats/secrets.ts';
import { readVariable, type Environment } from './environment.ts';

/** `$${` is a literal `${`. A `${` without a valid name is a mistake. */
const reference = /\$\$\{|\$\{(?:([A-Za-z_]\w*)(?::-([^${}]*))?\})?/g;

/** The name of the variable that is the whole value. */
const onlyReference = /^\$\{([A-Za-z_]\w*)\}$/;

/** Returns a copy; keys stay as they are. Throws InvalidInput for a variable that is not set and has no default. */
export function replaceVariables(value: unknown, environment: Environment, path: readonly PropertyKey[] = []): unknown {
  if (typeof value === 'string') return replaceIn(value, environment, formatPath(path));
  if (Array.isArray(value)) return value.map((each, index) => replaceVariables(each, environment, [...path, index]));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]: [string, unknown]) => [
    key,
    replaceVariables(each, environment, [...path, key]),
  ]);
  return nameOfSecret(value, formatPath(path)) ?? (Object.fromEntries(entries) as unknown);
}

/** `{value: "${NAME}"}` is `{env: NAME}`, so that output names the secret by its variable. */
function nameOfSecret(object: object, at: string): { env: string } | undefined {
  const [[key, value] = [], ...others] = Object.entries(object) as [string, unknown][];
  if (key !== 'value' || typeof value !== 'string' || others.length > 0 || !mayHoldSecret(at)) return undefined;
  const env = onlyReference.exec(value)?.[1];
  return env === undefined ? undefined : { env };
}

function replaceIn(text: string, environment: Environment, at: string): string {
  return text.replace(reference, (found, name?: string, fallback?: string) => {
    if (found === '$${') return '${';
    if (name === undefined) throw new InvalidInput(`${at}: ${INVALID}`);
    const value = readVariable(environment, name) ?? fallback;
    if (value !== undefined) return value;
    throw new InvalidInput(
      `${at}: the environment variable ${name} is not set. Set it, or write \${${name}:-default}.`,
    );
  });
}

const INVALID =
  'expected ${NAME} or ${NAME:-default} after "${", with the name of an environment variable. Write $${ for a literal "${".';
