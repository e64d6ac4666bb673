/** A finding of a schema check. */

/** One schema violation in a body. */
export interface ShapeFinding {
  /** JSON pointer into the body. */
  readonly at: string;
  readonly says: string;
}
