/** Tokens that the run was issued with client credentials. A server may revoke one of them when it issues another. */
import { createPlaces } from './places.ts';

/** Requests the token again. Undefined if none is issued. */
type Reissue<Send> = (send: Send) => Promise<string | undefined>;

/** `Send`: how the current client sends a request. */
export interface IssuedTokens<Send> {
  /** Calls a function that requests a token, while none is being replaced. */
  request<Result>(call: () => Promise<Result>): Promise<Result>;
  /** `seconds`: its lifetime. */
  note(token: string, reissue: Reissue<Send>, seconds?: number): void;
  /** The token that replaces this one, if any. */
  current(token: string): string;
  /**
   * Uses a new token in place of one that was refused, if another one was issued since; no other token is issued meanwhile.
   * Undefined if none was, if the token has expired, or if a new one was refused as well before.
   */
  replace<Result extends { readonly isRefused: boolean }>(
    token: string,
    send: Send,
    use: (token: string) => Promise<Result>,
  ): Promise<Result | undefined>;
}

interface IssuedToken<Send> {
  readonly reissue: Reissue<Send>;
  /** In milliseconds since the epoch. */
  readonly end: number;
  readonly order: number;
  /** Whether a new one was refused as well. */
  isRefusedAnyway: boolean;
}

const ALL_PLACES = 1_000_000;

export function createIssuedTokens<Send>(): IssuedTokens<Send> {
  const places = createPlaces(ALL_PLACES);
  const tokens = new Map<string, IssuedToken<Send>>();
  const replacements = new Map<string, string>();
  let issuedCount = 0;

  function note(token: string, reissue: Reissue<Send>, seconds = Infinity): void {
    issuedCount += 1;
    tokens.set(token, { reissue, end: Date.now() + seconds * 1000, order: issuedCount, isRefusedAnyway: false });
  }

  function current(token: string): string {
    const replacement = replacements.get(token);
    return replacement === undefined ? token : current(replacement);
  }

  const mayBeRevoked = ({ order, end, isRefusedAnyway }: IssuedToken<Send>): boolean =>
    order < issuedCount && Date.now() < end && !isRefusedAnyway;

  return {
    request: (call) => places(1, call),
    note,
    current,
    async replace(token, send, use) {
      const known = tokens.get(token);
      if (known === undefined || !mayBeRevoked(known)) return undefined;
      return places(ALL_PLACES, async () => {
        const latest = current(token); // another request may have replaced it meanwhile
        const isLatest = tokens.get(latest)?.order === issuedCount;
        const value = isLatest ? latest : await known.reissue(send);
        if (value === undefined || value === token) return undefined;
        if (value !== latest) replacements.set(latest, value);
        const result = await use(value);
        known.isRefusedAnyway = result.isRefused;
        return result;
      });
    },
  };
}
