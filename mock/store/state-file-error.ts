/** A state file that cannot be used. Apart, because catching it needs no node:sqlite. */
export class StateFileError extends Error {
  constructor(file: string, problem: string) {
    super(`${file} ${problem}`);
  }
}
