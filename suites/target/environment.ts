/** The environment variables of the command. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined if the variable is empty or not set. Names that every object has, such as `toString`, are not set. */
export const readVariable = (environment: Environment, name: string): string | undefined =>
  Object.hasOwn(environment, name) ? environment[name] || undefined : undefined;
