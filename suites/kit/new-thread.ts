/** Threads of an agent that no request has named before. */
import { randomUUID } from 'node:crypto';
import { headerNames } from '../../spec/brand.ts';
import type { Run } from '../engine/run.ts';
import type { HeaderInput } from '../target/request-types.ts';

/** A deployment may require a certain form of client-generated ids; a UUID is the most common (decision 063). */
export const newThreadId = (): string => randomUUID();

export const inNewThread = (run: Pick<Run, 'target'>): HeaderInput => ({
  [headerNames(run.target.brand).threadId]: newThreadId(),
});
