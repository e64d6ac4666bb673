/** What a later version changes in bodies: shapes, members with another name, and stricter limits. */
import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../../spec/generated/types.ts';
import { replyIn } from '../../spec/in-version.ts';
import { newlyRefused, renamedInReply, renamedInRequest } from '../../spec/version-changes.ts';
import type { Member } from '../../spec/version-changes.ts';
import { earliestStable } from '../../spec/versions.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { jsonIn } from '../json/json-in.ts';
import { fieldsOf } from '../json/fields.ts';
import { schemaMismatches } from '../expect/schema-mismatches.ts';
import { statusClass } from '../expect/status.ts';
import { replaceAt } from '../generators/invalid-body.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { plainMetadata } from '../kit/provision/creates.ts';
import { withVersion } from '../kit/versions/with-version.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';

/** Whether the response to a read has the form of its version, with the values that the earliest version returned. */
export function readMismatches(version: string, id: OperationId, earliest: Exchange, later: Exchange): Mismatch[] {
  const { status, json } = earliest.response;
  const members = isSuccessful(earliest) ? renamedInReply(version, id, status, replyIn(version, id, status, json)) : [];
  return formMismatches(version, later, members).map((found) => ({ ...found, before: [earliest] }));
}

/** Whether the response to a write has the form of its version, with the values that were sent. */
export const writeMismatches = (version: string, id: OperationId, later: Exchange): Mismatch[] =>
  formMismatches(version, later, renamedInRequest(version, id, jsonIn(later.request.body ?? '')));

function formMismatches(version: string, later: Exchange, members: readonly Member[]): Mismatch[] {
  if (version === earliestStable || !isSuccessful(later)) return [];
  const wrong = members
    .map((member) => ({ ...member, actual: memberAt(later.response.json, member.path) }))
    .filter(({ value, actual }) => !isDeepStrictEqual(actual, value))
    .map(({ path, value, actual }) => ({
      expected: `${path.join('.')} ${JSON.stringify(value)}`,
      actual: JSON.stringify(actual) ?? 'none',
      exchange: later,
    }));
  return [...schemaMismatches(later), ...wrong];
}

/** Whether a create with a value beyond each limit that the version made stricter is refused, although it was not before. */
export async function limitMismatches(run: Run, create: CreateOperation, version: string): Promise<Mismatch[]> {
  const found: Mismatch[] = [];
  const bodyOf = (): unknown => create.input(plainMetadata(run)).body;
  for (const { path } of newlyRefused(version, create.id, bodyOf())) {
    const send = (sent: string | undefined): Promise<Exchange> => {
      const body = bodyOf();
      const member = newlyRefused(version, create.id, body).find((each) => isDeepStrictEqual(each.path, path));
      const input = { ...create.input(plainMetadata(run)), body: replaceAt(body, path, member?.value) };
      return withVersion(run, { id: create.id, input: () => input }, sent);
    };
    const earliest = await send(undefined);
    if (!isSuccessful(earliest)) continue;
    found.push(...statusClass(await send(version), '4xx').map((each) => ({ ...each, before: [earliest] })));
  }
  return found;
}

const memberAt = (json: unknown, path: readonly string[]): unknown =>
  path.reduce((at, name) => fieldsOf(at)?.[name], json);
