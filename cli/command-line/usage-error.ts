/** What the person who called has to set right: printed as a sentence, exit code 2. */
export class BadUsage extends Error {}

/** A value that a flag does not take, wherever it stood. */
export class BadValue extends BadUsage {
  /** What of the value is wrong, and what is wanted. */
  readonly why: string;

  constructor(flag: string, why: string) {
    super(`${flag}: ${why}`);
    this.why = why;
  }
}
