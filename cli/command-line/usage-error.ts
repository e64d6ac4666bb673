/** A mistake of the user in flags, files or environment: printed as a sentence, exit code 2. */
export class UsageError extends Error {}

/** The value of a flag is invalid. */
export class InvalidValueError extends UsageError {
  /** What was expected, without the flag and the value, such as "an integer from 0 to 65535". */
  readonly expected: string;

  constructor(flag: string, value: string, expected: string) {
    super(`Invalid value ${JSON.stringify(value)} for ${flag}: expected ${expected}.`);
    this.expected = expected;
  }
}
