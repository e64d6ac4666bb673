/** A row of the printed table. */

export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
}

export const twoDecimals = (value: number): string => value.toFixed(2);
