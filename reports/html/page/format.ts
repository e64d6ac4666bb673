/** Formats numbers, durations and timestamps. */

export const count = (number: number): string => number.toLocaleString('en');

export const counted = (number: number, word: string): string => `${count(number)} ${word}${number === 1 ? '' : 's'}`;

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** In UTC, to the minute. */
export const instant = (rfc3339: string): string => `${rfc3339.slice(0, 16).replace('T', ' ')} UTC`;
