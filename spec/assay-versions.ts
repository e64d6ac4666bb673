/** The versions of assay, in which rules appear and change. */

/** Every version, oldest first; the last one is that of package.json. */
export const assayVersions = ['0.1.0'] as const;

export type AssayVersion = (typeof assayVersions)[number];

/** Whether the first of two versions of the form `1.2.3` is newer than the second. */
export function isNewer(version: string, than: string): boolean {
  const [numbers, others] = [version, than].map((each) => each.split('.').map(Number)) as [number[], number[]];
  const place = numbers.findIndex((number, index) => number !== others[index]);
  return place !== -1 && (numbers[place] as number) > (others[place] ?? 0);
}
