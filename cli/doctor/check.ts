/** The result of one check of a target file, and functions that create it. */

export interface Check {
  /** `warning`: probably wrong, but not for certain. `skipped`: the target or the file gives nothing to check. */
  readonly outcome: 'passed' | 'failed' | 'warning' | 'skipped';
  /** What was checked: a key of the target file, such as `credentials.admin`. */
  readonly subject: string;
  /** What was found. */
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}

export const passed = (subject: string, found: string): Check => ({ outcome: 'passed', subject, found });
export const skipped = (subject: string, found: string): Check => ({ outcome: 'skipped', subject, found });
export const failed = (subject: string, found: string, advice: string): Check => ({
  outcome: 'failed',
  subject,
  found,
  advice,
});
export const warning = (subject: string, found: string, advice: string): Check => ({
  ...failed(subject, found, advice),
  outcome: 'warning',
});
