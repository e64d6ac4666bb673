/** The listed versions of the management API in chronological order. */

export interface ApiVersion {
  /** `YYYY-MM-DD`, with the suffix `.preview` if the stage is preview. */
  readonly version: string;
  readonly stage: 'stable' | 'preview';
}

/** What a version after the earliest one changes is in `openapi/versions/<version>.yaml`. */
export const versions: readonly ApiVersion[] = [
  // In chronological order.
  { version: '2026-04-16', stage: 'stable' },
];

/** The version that applies if the version header is absent (versions.default.absent-header-means-earliest-stable). */
export const earliestStable: string = earliestStableOf(versions);

/** The versions after the earliest stable one, in chronological order. */
export const laterVersions: readonly string[] = versions
  .map(({ version }) => version)
  .filter((version) => version !== earliestStable);

/** Returns the stable version with the earliest date. Code-unit order is date order in this format. */
export function earliestStableOf(list: readonly ApiVersion[]): string {
  const stable = list.filter(({ stage }) => stage === 'stable').map(({ version }) => version);
  const [earliest] = stable.sort();
  if (earliest === undefined) throw new Error('At least one version must be stable.');
  return earliest;
}

export function isKnownVersion(value: string): boolean {
  return versions.some(({ version }) => version === value);
}
