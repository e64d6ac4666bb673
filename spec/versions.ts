/** Every version of the management API that the version header may name, in the order they came. */

export interface ApiVersion {
  /** `YYYY-MM-DD`, with `.preview` at its end where the stage is preview. */
  readonly version: string;
  readonly stage: 'stable' | 'preview';
}

export const versions: readonly ApiVersion[] = [{ version: '2026-04-16', stage: 'stable' }];

/** What applies where the version header is absent (versions.default.absent-header-means-earliest-stable). */
export const earliestStable: string = earliestStableOf(versions);

/** The stable version with the smallest date; the form makes text order the order of dates. */
export function earliestStableOf(list: readonly ApiVersion[]): string {
  const stable = list.filter(({ stage }) => stage === 'stable').map(({ version }) => version);
  const [earliest] = stable.sort();
  if (earliest === undefined) throw new Error('At least one version must be stable.');
  return earliest;
}

export function isKnownVersion(value: string): boolean {
  return versions.some(({ version }) => version === value);
}
