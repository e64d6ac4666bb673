/** What a mock says of the profile that it follows. */
export interface ProfileSummary {
  /** Whose observations they are; left out where they do not say. */
  readonly target?: string;
  readonly followed: number;
  readonly notFollowed: number;
}
