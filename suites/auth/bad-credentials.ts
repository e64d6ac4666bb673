/** What stands in a credential header and lets nobody in: malformed, unknown, or made out of a credential that does. */
import * as fc from 'fast-check';
import type { CallerName, Run } from '../engine/conforms.ts';
import { alterations, keyPlace, withCharacterChanged } from '../generators/altered-key.ts';
import { bytePlace, readJwt, tamperings, withByteChanged } from '../generators/tampered-jwt.ts';
import type { BytePlace, Jwt } from '../generators/tampered-jwt.ts';

/** By a name, since the value is almost a secret and must not be in a report. */
export type BadCredentials = ReadonlyMap<string, string>;

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

/** Whole values of the header. What a lenient server could take for a valid credential in an odd form is not among them. */
const malformed: readonly string[] = [
  'Bearer',
  'bearer',
  'assay-unknown-credential',
  'Bearer assay unknown',
  'Bearer assay-unknown,credential',
  'Bearer null',
  'Bearer undefined',
  'Bearer ..',
  'Bearer a.b.c',
  'Bearer W10.W10.W10', // Parts that are JSON, and no objects.
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhc3NheSIsInNjb3BlIjoiYWRtaW4ifQ.',
  'Token assay-unknown-credential',
  basic('assay:assay'),
  basic('admin:admin'),
  'Digest username="assay"',
  ',',
];

/** Who may update an agent, by name; each is let in with the credential as it is. */
export interface Inside {
  readonly caller: CallerName;
  readonly name: string;
  readonly token: string;
}

/** With tokens that are valid now: one that has ended would be refused whatever was done to it. */
export const renewed = ({ tokens }: Pick<Run, 'tokens'>, inside: readonly Inside[]): Promise<Inside[]> =>
  Promise.all(inside.map(async (each) => ({ ...each, token: await tokens.valid(each.token) })));

/** Every value once, those made out of each of the credentials among them. */
export function badCredentials(inside: readonly Inside[]): BadCredentials {
  const all = new Map(malformed.map((value) => [JSON.stringify(value), value]));
  all.set('an unknown credential', 'Bearer assay-unknown-credential');
  for (const { name, token } of inside) {
    for (const [what, value] of alteredBy(token)) if (value !== token) all.set(`${name}: ${what}`, `Bearer ${value}`);
  }
  for (const [what, value] of mixed(inside)) all.set(what, `Bearer ${value}`);
  return all;
}

function alteredBy(token: string): [string, string][] {
  const jwt = readJwt(token);
  if (jwt === undefined) return Object.entries(alterations).map(([what, alter]) => [what, alter(token)]);
  return Object.entries(tamperings).map(([what, tamper]) => [what, tamper(jwt)]);
}

/** What one token says, under the signature of another. */
function mixed(inside: readonly Inside[]): [string, string][] {
  const tokens = inside.flatMap(({ name, token }) => {
    const jwt = readJwt(token);
    return jwt === undefined ? [] : [{ name, jwt }];
  });
  return tokens.flatMap((said) =>
    tokens
      .filter((signed) => differ(said.jwt, signed.jwt))
      .map((signed): [string, string] => [
        `${said.name} under the signature of ${signed.name}`,
        [...said.jwt.parts.slice(0, 2), signed.jwt.parts[2]].join('.'),
      ]),
  );
}

const differ = (one: Jwt, other: Jwt): boolean => one.parts[1] !== other.parts[1] && one.parts[2] !== other.parts[2];

/** Generated: where which credential is changed. */
export interface Change {
  readonly inside: number;
  readonly byte: BytePlace;
  readonly character: number;
}

export const change = (inside: readonly Inside[]): fc.Arbitrary<Change> =>
  fc.record({ inside: fc.nat({ max: inside.length - 1 }), byte: bytePlace, character: keyPlace });

/** Undefined where nothing of it was changed. */
export function changed(inside: readonly Inside[], { inside: index, byte, character }: Change): string | undefined {
  const token = inside[index]?.token ?? '';
  const jwt = readJwt(token);
  const value = jwt === undefined ? withCharacterChanged(token, character) : withByteChanged(jwt, byte);
  return value === token ? undefined : `Bearer ${value}`;
}

/** The credentials of the target that may update agents, as far as their names say so. */
export function insidersOf({ target: { credentials } }: Pick<Run, 'target'>): Inside[] {
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
