/** Callers that may write files. In one sandbox all of them write the same files. */
import type { Run } from '../engine/conforms.ts';
import { acceptedVariants, clientFor } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import type { Client } from '../target/client.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { putTree } from '../kit/sandbox/tree.ts';

export interface Writer {
  readonly variant: CallerVariant;
  readonly client: Client;
}

/** The strongest caller first, then one for each other variant of a caller whose tree write succeeds. */
export async function writersOf(run: Run): Promise<Writer[]> {
  const directory = await newWritableDirectory(run);
  const variants = await acceptedVariants(run, 'write files', (client) => putTree(run, directory, { f: 'x' }, client));
  return variants.map((variant) => ({ variant, client: clientFor(run, variant) }));
}
