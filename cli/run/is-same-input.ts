/** Compares the input that a replay tested with that of the report. */

/** Names differ from run to run. */
const RUN_NAME = /assay-[0-9a-z]+(-[0-9a-z]+)+/g;

const textOf = (input: unknown): string | undefined => JSON.stringify(input)?.replaceAll(RUN_NAME, 'assay');

/** Names that runs create do not count, nor do steps after the one at which either failed. `tested`: with the same redaction. */
export function isSameInput(reported: unknown, tested: unknown): boolean {
  const [before, after] = [stepsOf(reported), stepsOf(tested)];
  if (before === undefined || after === undefined) return textOf(reported) === textOf(tested);
  const common = Math.min(before.length, after.length);
  return textOf(before.slice(0, common)) === textOf(after.slice(0, common));
}

function stepsOf(input: unknown): readonly unknown[] | undefined {
  const { steps } = (input ?? {}) as { steps?: unknown };
  return Array.isArray(steps) ? steps : undefined;
}
