/** The format of a line of a ledger, for ledgers that somebody else may have written. */
import { z } from 'zod';
import { operations } from '../../spec/operations.ts';
import { LEDGER_VERSION } from './ledger-lines.ts';

const number = z.int();
const texts = z.record(z.string(), z.string());
const operationId = z.enum(operations.map(({ id }) => id));
const removal = z.object({ operation: operationId, path: texts, headers: texts.exactOptional() });
const resource = {
  name: z.string().exactOptional(),
  displayName: z.string().exactOptional(),
  removal: removal.exactOptional(),
};

export const ledgerLineSchema = z.union([
  z.object({
    ledger: z.literal(LEDGER_VERSION),
    run: z.string(),
    target: z.string(),
    workspace: z.string().exactOptional(),
    pid: z.int(),
    host: z.string(),
    processStart: z.string().exactOptional(),
    startedAt: z.string(),
  }),
  z.object({ number, created: operationId, ...resource }),
  z.object({ number, changed: operationId, path: texts, body: z.unknown().exactOptional() }),
  z.object({ number, status: z.int(), ...resource }),
  z.object({ number, removing: z.boolean() }),
  z.object({ number, kept: z.int() }),
  z.object({ number, undone: z.literal(true) }),
]);
