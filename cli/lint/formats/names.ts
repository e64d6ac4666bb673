/** The names of the formats, without loading them. */
export const formatNames = ['stylish', 'json', 'sarif', 'junit', 'github'] as const;

export type FormatName = (typeof formatNames)[number];
