/** What calls of `/_mock` answer and its pages read, as types alone: a page must not draw in what only a server has. */
import type { ProfileSummary } from '../../state/profile-summary.ts';
import type { ClockMode } from '../../time/clock.ts';
import type { FaultRule } from '../../pipeline/fault-rule.ts';

export interface ClockView {
  readonly now: string;
  readonly mode: ClockMode;
}

/** A request of the journal. */
export interface EntryView {
  readonly number: number;
  /** Of the virtual clock. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** null: none was read. */
  readonly body: BodyView | null;
  readonly operation: string | null;
  /** null: there was no answer, or not yet. */
  readonly status: number | null;
  /** null: a stream, or nothing. */
  readonly answer: BodyView | null;
  /** The sentence of the answer's body; only where the status is 400 or more. */
  readonly reason?: string;
  /** The index of the rule of `/_mock/faults` that disturbed the request. */
  readonly fault?: number;
}

export interface BodyView {
  /** Secrets left out. */
  readonly text: string;
  /** There was more than the journal keeps. */
  readonly cut: boolean;
}

export interface FaultsView {
  readonly rules: readonly FaultRule[];
  /** In the order of the rules. */
  readonly counts: readonly { readonly matched: number; readonly fired: number }[];
}

export interface ResourceView {
  /** A workspace, or `account:ID` for what is an account's. */
  readonly home: string;
  /** As in the URL: `agents`, `sandboxes/demo-box/previews`. */
  readonly collection: string;
  readonly kind: string;
  readonly name: string;
  readonly displayName: string | null;
  /** null: the kind has none. */
  readonly status: string | null;
  readonly updatedAt: string;
  /** The whole of it, as the interface shows it; only where a name was asked for. */
  readonly resource?: object;
}

export interface WorldView extends ClockView {
  /** null: the first, which cannot be removed. */
  readonly id: string | null;
  /** Its `/_mock`. */
  readonly control: string;
  readonly seed: number;
  /** Requests since it was made or reset. */
  readonly received: number;
}

/** What the console knows of the interface from the start. */
export interface Facts {
  readonly operations: readonly string[];
  readonly scopes: readonly string[];
  readonly groupBy: readonly string[];
  readonly resolutions: readonly string[];
  /** Absent if the mock has no profile. */
  readonly profile?: ProfileSummary;
}
