/** Tokens that the run was issued with client credentials. A server may revoke one of them when it issues another. */
import { createSharedLock } from './places.ts';

/** `Request`: for a token. */
export interface IssuedTokens<Request> {
  /** Calls a function that requests a token, while none is being replaced. */
  request<Result>(call: () => Promise<Result>): Promise<Result>;
  /** `seconds`: its lifetime. Unlimited if undefined. */
  note(token: string, request: Request, seconds: number | undefined): void;
  isIssued(token: string): boolean;
  /** The token that replaces this one, if any. */
  current(token: string): string;
  /**
   * Calls `use` with a new token if the token was refused and another one was issued since; no other token is issued meanwhile.
   * Not if the token has expired, or if a new one was refused as well before. `use` returns whether it was accepted.
   */
  replace(
    token: string,
    requestAgain: (request: Request) => Promise<string | undefined>,
    use: (token: string) => Promise<boolean>,
  ): Promise<void>;
}

interface IssuedToken<Request> {
  readonly request: Request;
  /** In milliseconds since the epoch. */
  readonly end: number;
  /** From 1. */
  readonly number: number;
  /** Whether a new one was refused as well. */
  isRefusedAnyway: boolean;
}

export function createIssuedTokens<Request>(): IssuedTokens<Request> {
  const lock = createSharedLock();
  const tokens = new Map<string, IssuedToken<Request>>();
  const replacements = new Map<string, string>();
  let issuedCount = 0;

  function current(token: string): string {
    const replacement = replacements.get(token);
    return replacement === undefined ? token : current(replacement);
  }

  return {
    request: lock.shared,
    note(token, request, seconds = Infinity) {
      issuedCount += 1;
      tokens.set(token, { request, end: Date.now() + seconds * 1000, number: issuedCount, isRefusedAnyway: false });
    },
    isIssued: (token) => tokens.has(token),
    current,
    async replace(token, requestAgain, use) {
      const known = tokens.get(token);
      const mayBeRevoked = known !== undefined && known.number < issuedCount && Date.now() < known.end;
      if (!mayBeRevoked || known.isRefusedAnyway) return;
      await lock.alone(async () => {
        const latest = current(token); // another request may have replaced it meanwhile
        const isNewest = tokens.get(latest)?.number === issuedCount;
        const value = isNewest ? latest : await requestAgain(known.request);
        if (value === undefined || value === token) return;
        replacements.delete(value);
        if (value !== latest) replacements.set(latest, value);
        known.isRefusedAnyway = !(await use(value));
        if (known.isRefusedAnyway) replacements.delete(latest);
      });
    },
  };
}
