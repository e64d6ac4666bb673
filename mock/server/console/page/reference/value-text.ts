/** A value as text: strings without quotes, everything else as JSON; empty if it is undefined. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
