/** The names of the worlds that come with assay. */

/** All but the default world, which needs no name. */
export const worldNames = ['empty', 'failing-deployments', 'large'] as const;
export type WorldName = (typeof worldNames)[number];

/** The worlds that a file can extend. */
export const extensibleWorlds = ['default', ...worldNames] as const;
export type ExtensibleWorld = (typeof extensibleWorlds)[number];
