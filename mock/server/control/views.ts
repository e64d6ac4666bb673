/** Types of `/_mock` responses. Only types, so that pages can import them without server code. */
import type { Caller } from '../../state/accounts.ts';
import type { Attempt, Invocation, SentMessage } from '../../state/inference.ts';
import type { ProfileSummary } from '../../state/profile-summary.ts';
import type { ClockMode } from '../../time/clock.ts';
import type { FaultRule, ScriptedResponse } from '../../pipeline/rule-formats.ts';

export interface ClockView {
  readonly now: string;
  readonly mode: ClockMode;
}

/** An entry of the journal. */
export interface EntryView {
  readonly number: number;
  /** By the virtual clock. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** null: no body was read. */
  readonly body: BodyView | null;
  readonly operation: string | null;
  /** null: no response, or not yet. */
  readonly status: number | null;
  /** null: a stream or no body. */
  readonly answer: BodyView | null;
  /** The message of the response body; only if the status is 400 or more. */
  readonly reason?: string;
  /** Index of the fault rule that was applied. */
  readonly fault?: number;
  /** Index of the script that responded. */
  readonly script?: number;
  /** The response is that of a recording. */
  readonly replayed?: true;
}

export interface BodyView {
  /** With secrets redacted. */
  readonly text: string;
  /** Whether the body was longer than the journal stores. */
  readonly cut: boolean;
}

/** Of POST /_mock/verify. */
export interface VerificationResult {
  readonly verified: boolean;
  /** One sentence for each expectation that is not met. */
  readonly failures: readonly string[];
  /** The newest requests, such as "GET /v0/agents?limit=2 503", if an expectation is not met. */
  readonly received: readonly string[];
}

export interface FaultsView {
  readonly rules: readonly FaultRule[];
  /** In the order of the rules. */
  readonly counts: readonly { readonly matched: number; readonly fired: number }[];
}

export interface ResponsesView {
  readonly responses: readonly ScriptedResponse[];
  /** In the order of the scripts. */
  readonly counts: readonly { readonly used: number }[];
}

/** A call of a workload. */
export interface InvocationView extends Omit<Invocation, 'at'> {
  readonly time: string;
}

export interface OutboxView {
  /** Of callbacks and messages. */
  readonly count: number;
  readonly callbacks: readonly CallbackView[];
  /** Messages that tools of functions sent. */
  readonly messages: readonly (Omit<SentMessage, 'at'> & { readonly time: string })[];
}

export interface CallbackView {
  readonly requestId: string;
  readonly workspace: string;
  readonly agent: string;
  readonly trigger: string;
  readonly url: string;
  /** What is posted, with the response of the agent as its `body`; null while the request waits for an instance. */
  readonly body: object | null;
  /** The next attempt; null if there is none. */
  readonly dueAt: string | null;
  readonly attempts: readonly (Omit<Attempt, 'at'> & { readonly time: string })[];
}

export interface TokenView {
  readonly token: string;
  readonly kind: 'jwt' | 'api-key';
  readonly caller: Pick<Caller, 'id' | 'account' | 'accountRole' | 'workspaces'>;
  readonly scopes: readonly string[];
  readonly expiresAt: string;
}

export interface HealthView {
  readonly status: 'ok';
  readonly now: string;
  readonly seed: number;
  /** Absent if the mock has no profile. */
  readonly profile?: ProfileSummary;
}

export interface ResourceView {
  /** A workspace, or `account:ID` for resources of an account. */
  readonly home: string;
  /** As in the URL: `agents`, `sandboxes/demo-box/previews`. */
  readonly collection: string;
  readonly kind: string;
  readonly name: string;
  readonly displayName: string | null;
  /** null: the kind has no status. */
  readonly status: string | null;
  readonly updatedAt: string;
  /** The resource as the API returns it; only with the filter `name`. */
  readonly resource?: object;
}

export interface WorldView extends ClockView {
  /** null: the first world, which cannot be removed. */
  readonly id: string | null;
  /** Its `/_mock`. */
  readonly control: string;
  readonly seed: number;
  /** Number of requests since it was created or reset. */
  readonly received: number;
}

/** A kind of resources. */
export interface KindFacts {
  /** As in `ResourceView`. */
  readonly kind: string;
  /** The path of its collection, with the parameters of its parents: `sandboxes/{sandboxName}/previews`. */
  readonly path: string;
  /** Whether the API has an operation that creates one: POST on this path. */
  readonly isCreatable: boolean;
}

/** Facts about the API that are embedded in the console page. */
export interface Facts {
  readonly operations: readonly string[];
  readonly scopes: readonly string[];
  readonly groupBy: readonly string[];
  readonly resolutions: readonly string[];
  /** In the order of the documents. */
  readonly kinds: readonly KindFacts[];
  /** Absent if the mock has no profile. */
  readonly profile?: ProfileSummary;
}
