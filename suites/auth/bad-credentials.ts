/** Invalid values of an authorization header: malformed, unknown, or derived from a valid credential. */
import * as fc from 'fast-check';
import type { CallerName, Run } from '../engine/conforms.ts';
import { alterations, keyPlace, withCharacterChanged } from '../generators/altered-key.ts';
import { forgedToken, forgeries } from '../generators/forged-jwt.ts';
import type { PublishedKey } from '../generators/forged-jwt.ts';
import { MALFORMED, UNKNOWN } from '../kit/auth/carriers.ts';
import { bytePlace, readJwt, tamperings, withByteChanged } from '../generators/tampered-jwt.ts';
import type { BytePosition, Jwt } from '../generators/tampered-jwt.ts';

/** Keyed by name, since a value is almost a secret and must not be in a report. */
export type BadCredentials = ReadonlyMap<string, string>;

/** A credential with which agent updates are accepted. */
export interface AcceptedCredential {
  readonly caller: CallerName;
  readonly name: string;
  readonly token: string;
}

/** With tokens that are still valid: an expired token would be refused even without a change. */
export const renewed = (
  { tokens }: Pick<Run, 'tokens'>,
  accepted: readonly AcceptedCredential[],
): Promise<AcceptedCredential[]> =>
  Promise.all(accepted.map(async (each) => ({ ...each, token: await tokens.valid(each.token) })));

/** Every value once, including those derived from each credential and from the keys that the target publishes. */
export function badCredentials(
  accepted: readonly AcceptedCredential[],
  keys: readonly PublishedKey[] = [],
): BadCredentials {
  const all = new Map(MALFORMED.map((value) => [JSON.stringify(value), value]));
  all.set('an unknown credential', UNKNOWN);
  for (const { name, token } of accepted) {
    for (const [description, value] of alteredTokens(token, keys))
      if (value !== token) all.set(`${name}: ${description}`, `Bearer ${value}`);
  }
  for (const [description, value] of mixedTokens(accepted)) all.set(description, `Bearer ${value}`);
  return all;
}

function alteredTokens(token: string, keys: readonly PublishedKey[]): [string, string][] {
  const jwt = readJwt(token);
  if (jwt === undefined) return Object.entries(alterations).map(([description, alter]) => [description, alter(token)]);
  const forged = Object.keys(forgeries).flatMap((description): [string, string][] => {
    const value = forgedToken(description, { jwt, keys });
    return value === undefined ? [] : [[description, value]];
  });
  return [...Object.entries(tamperings).map(([name, tamper]): [string, string] => [name, tamper(jwt)]), ...forged];
}

/** The payload of one token with the signature of another. */
function mixedTokens(accepted: readonly AcceptedCredential[]): [string, string][] {
  const tokens = accepted.flatMap(({ name, token }) => {
    const jwt = readJwt(token);
    return jwt === undefined ? [] : [{ name, jwt }];
  });
  return tokens.flatMap((payload) =>
    tokens
      .filter((signed) => differ(payload.jwt, signed.jwt))
      .map((signed): [string, string] => [
        `${payload.name} under the signature of ${signed.name}`,
        [...payload.jwt.parts.slice(0, 2), signed.jwt.parts[2]].join('.'),
      ]),
  );
}

const differ = (one: Jwt, other: Jwt): boolean => one.parts[1] !== other.parts[1] && one.parts[2] !== other.parts[2];

/** Generated: the credential to change and the position. */
export interface Change {
  readonly accepted: number;
  readonly byte: BytePosition;
  readonly character: number;
}

export const credentialChange = (accepted: readonly AcceptedCredential[]): fc.Arbitrary<Change> =>
  fc.record({ accepted: fc.nat({ max: accepted.length - 1 }), byte: bytePlace, character: keyPlace });

/** Undefined if nothing was changed. */
export function changeCredential(
  accepted: readonly AcceptedCredential[],
  { accepted: index, byte, character }: Change,
): string | undefined {
  const token = accepted[index]?.token ?? '';
  const jwt = readJwt(token);
  const value = jwt === undefined ? withCharacterChanged(token, character) : withByteChanged(jwt, byte);
  return value === token ? undefined : `Bearer ${value}`;
}

/** The credentials of the target that may update agents, judged by their names. */
export function updateCredentials({ target: { credentials } }: Pick<Run, 'target'>): AcceptedCredential[] {
  const { admin, apiKey, scoped } = credentials;
  const update = scoped['agents:update'];
  return [
    ...(admin === undefined ? [] : [{ caller: 'admin' as const, name: 'admin', token: admin.value }]),
    ...(apiKey === undefined ? [] : [{ caller: 'apiKey' as const, name: 'apiKey', token: apiKey.value }]),
    ...(update === undefined
      ? []
      : [{ caller: { scoped: 'agents:update' as const }, name: 'agents:update', token: update.value }]),
  ];
}
