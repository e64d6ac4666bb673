/** The input and the findings of a reader of the documents. */

/** A finding of Prism. */
export interface ReaderFinding {
  readonly in: 'body' | 'header' | 'query' | 'path';
  /** JSON Pointer into the body, or `/name` of the header or parameter; empty for the body itself. */
  readonly at: string;
  /** The message of Prism, which quotes no value. */
  readonly says: string;
}

export interface ReceivedResponse {
  readonly status: number;
  /** Names are lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON value; undefined for an empty body. */
  readonly body: unknown;
}

export interface SentRequest {
  /** Relative to the address of the surface, including the query, percent-encoded as sent. */
  readonly path: string;
  /** Names are lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON value, or the text of a form; undefined without a body. Malformed JSON must not be passed. */
  readonly body: unknown;
}
