/** Creates with a listed version, sent once per run for each operation and version, and shared by several rules. */
import type { Run } from '../engine/conforms.ts';
import { withNewName } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { neededWrite } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import { withVersion } from '../kit/versions/with-version.ts';
import { sharedValues } from '../engine/shared-values.ts';

const firstPairs = sharedValues<Pair>();

/** A create that was accepted without a version, and the same with the version and another name. */
export interface Pair {
  readonly absent: Exchange;
  readonly named: Exchange;
}

/** Throws NotTried if the target does not accept such a create. */
export function firstPair(run: Run, create: CreateOperation, version: string): Promise<Pair> {
  return firstPairs.get(run, `${create.id} ${version}`, async () => {
    const { exchange: absent, input } = await neededWrite(run, create);
    const named = await withVersion(run, { id: create.id, input: () => withNewName(run, input) }, version);
    return { absent, named };
  });
}
