/** The names of the worlds that come with assay. */

/** `default` is the one without a name, too. */
export const worldNames = ['default', 'empty', 'failing-deployments', 'large'] as const;
export type WorldName = (typeof worldNames)[number];
