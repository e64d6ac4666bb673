/** Creates that name a listed version: one of an operation and a version in a run, which several rules read off. */
import type { Run } from '../engine/conforms.ts';
import { withNewName } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { acceptedWrite } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import { withVersion } from '../kit/versions/ask.ts';
import { sharedValues } from '../engine/shared-values.ts';

const firstPairs = sharedValues<Pair>();

/** The create that was accepted without a version, and the same under another name with it. */
export interface Pair {
  readonly absent: Exchange;
  readonly named: Exchange;
}

/** Throws NotTried where the target does not accept such a create at all. */
export function firstPair(run: Run, create: CreateOperation, version: string): Promise<Pair> {
  return firstPairs.get(run, `${create.id} ${version}`, async () => {
    const { exchange: absent, input } = run.need(await acceptedWrite(run, create), `a ${create.id} that is accepted`);
    const named = await withVersion(run, { id: create.id, input: () => withNewName(run, input) }, version);
    return { absent, named };
  });
}
