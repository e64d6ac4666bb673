/** The reads that show whether a refused write has had an effect, and a deletion has had one. */
import { operation, operations } from '../../spec/operations.ts';
import { metadataIn } from '../json/metadata-in.ts';
import { collectionOf, isOnItem } from './model.ts';
import type { StepResult } from './lockstep.ts';
import type { Step } from './step.ts';

/** Of a resource that both targets have deleted, or refused to create, update or delete. Empty if it has no name, or no read. */
export function readsAfter(step: Step, { exchanges }: StepResult): Step[] {
  const collection = collectionOf(step.operation);
  const { method } = operation(step.operation);
  const statuses = [exchanges.a, exchanges.b].map(({ response: { status } }) => status);
  const areRefused = statuses.every((status) => status >= 400 && status < 500);
  const areGone = method === 'DELETE' && statuses.every((status) => status >= 200 && status < 300);
  if (collection === undefined || method === 'GET' || !(areRefused || areGone)) return [];
  const read = operations.find(
    (each) => each.method === 'GET' && isOnItem(each) && collectionOf(each.id)?.path === collection.path,
  );
  const name = step.path?.[collection.parameter] ?? metadataIn(step.body)['name'];
  if (read === undefined || typeof name !== 'string' || name === '') return [];
  const path = { ...step.path, [collection.parameter]: name };
  return [{ operation: read.id, context: `after ${step.operation}: ${step.context}`, caller: 'strongest', path }];
}
