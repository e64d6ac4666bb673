/** A recording of traffic, whatever wrote it. */

/** Known text (empty: known to be empty), or why it is unknown. */
export type RecordedBody =
  | {
      readonly text: string;
      /** The body is not text: `text` has one character per byte. */
      readonly bytes?: true;
    }
  | { readonly unknown: string };

export type RecordedHeaders = readonly (readonly [name: string, value: string])[];

export interface RecordedExchange {
  /** For messages: `run.har, entry 12`. */
  readonly source: string;
  /** Upper case. */
  readonly method: string;
  /** Absolute, without fragment; the query exactly as in the file. */
  readonly url: string;
  readonly requestHeaders: RecordedHeaders;
  readonly requestBody: RecordedBody;
  readonly status: number;
  /** Empty: unknown. */
  readonly responseHeaders: RecordedHeaders;
  readonly responseBody: RecordedBody;
  /** Milliseconds since the epoch, with fractions. Absent: only the order is known. */
  readonly startedAt?: number;
  /** Milliseconds since the epoch, when the last byte of the response arrived. */
  readonly endedAt?: number;
  /** Another write to the same path was, or may have been, sent before the response arrived. */
  readonly isConcurrent?: boolean;
  /** The writer may have removed credentials. */
  readonly isCallerUnknown: boolean;
  /** From a cache, or confirmed by a 304: a repeat of an earlier response at most. */
  readonly isRepeat: boolean;
  /** The variable of the target's credential. Only in recordings of assay itself. */
  readonly credential?: string;
}

export interface Recording {
  /** In the order in which the requests were sent. */
  readonly exchanges: readonly RecordedExchange[];
  /** How many entries were skipped, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Name and version of the program that wrote it. */
  readonly writer: string;
  /** The writer parsed the bodies and wrote them again: their bytes, the form of numbers and the order of keys are not the server's. */
  readonly isReserialized: boolean;
}
