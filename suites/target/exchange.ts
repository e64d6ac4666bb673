/** One request and its answer, as sent and received; the request has its secrets left out already. */
import type { Surface } from '../../spec/documents.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import type { Finding } from '../../spec/validators.ts';

export interface SentRequest {
  method: string;
  url: string;
  /** Names as sent; a list stands for one header line each. */
  headers: Record<string, string | string[]>;
  body?: string;
  /** The body is no UTF-8 text: `body` then has one character for each byte. */
  bytes?: true;
}

export interface Answer {
  status: number;
  /** Names in lower case; lines of one name joined with ", ". */
  headers: Record<string, string>;
  text: string;
  /** undefined when the body is no JSON. */
  json: unknown;
}

export interface Exchange {
  surface: Surface;
  /** Left out for a request made with `send`. */
  operation?: OperationId;
  /** The target's credential that the request carried as it is, by the name of its variable; left out for none or another. */
  credential?: string;
  request: SentRequest;
  answer: Answer;
  /** How the answer misfits the documents; empty where it fits or no operation is known. */
  shape: readonly Finding[];
  durationMs: number;
  /** 2 where a broken connection made us send it again. */
  attempts: number;
}
