/** Summary of a mock's profile: how many observations it reproduces. */
export interface ProfileSummary {
  /** Name of the observed target; absent if the observations do not contain it. */
  readonly target?: string;
  readonly followed: number;
  readonly notFollowed: number;
}
