/** Updates of an agent that are refused for different reasons, and how long to wait for their possible effects. */
import { setTimeout as wait } from 'node:timers/promises';
import { headerNames } from '../../../spec/brand.ts';
import type { Run } from '../../engine/conforms.ts';
import { fieldsOf } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import { isRefused } from '../../expect/status.ts';
import { updateWith, updateWhenSettled } from '../provision/agents.ts';
import type { Exchange } from '../../target/client.ts';

/**
 * Sends a valid spec with a field of the wrong type, with an unlisted version, and without a credential. Returns nothing
 * if one was not refused, because another rule checks that.
 */
export async function refusedUpdates(run: Run, name: string, spec: Fields): Promise<Exchange[]> {
  const update = updateWith(name, spec);
  const invalid = updateWith(name, { ...spec, runtime: { ...fieldsOf(spec['runtime']), memory: 'large' } });
  const exchanges = [
    await updateWhenSettled(run, run.client, invalid),
    await updateWhenSettled(run, run.client, {
      ...update,
      headers: { [headerNames(run.target.brand).version]: 'latest' },
    }),
    await updateWhenSettled(run, run.as('none'), update),
  ];
  return exchanges.every(isRefused) ? exchanges : [];
}

const MIN_SECONDS = 1.5;

/** Waits twice as long as it took until an accepted update was visible: then the effects of refused ones are visible, too. */
export const waitForEffect = ({ patienceSeconds }: Run, tookSeconds: number): Promise<void> =>
  wait(1000 * Math.min(patienceSeconds, Math.max(MIN_SECONDS, 2 * tookSeconds)));
