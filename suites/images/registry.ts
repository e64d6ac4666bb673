/** Images that workloads use and the registry lists, if the target can list them. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import type { Workload } from './workloads.ts';

interface Used {
  readonly label: string;
  /** As the workload's spec names it. */
  readonly image: string;
}

/** Images of workloads that the registry lists. Empty if either cannot be read. */
export async function listedImages(run: Run, workloads: readonly Workload[]): Promise<Used[]> {
  const used = await Promise.all(workloads.map((workload) => imageOf(run, workload)));
  const { response } = await run.client.call('listImages');
  return used.flatMap((each) => (each !== undefined && lists(response, each.image) ? [each] : []));
}

async function imageOf(run: Run, { label, get, path }: Workload): Promise<Used | undefined> {
  const { response } = await run.client.call(get, { path });
  const { spec } = (response.json ?? {}) as { spec?: { runtime?: { image?: unknown } } };
  const image = response.status === 200 ? spec?.runtime?.image : undefined;
  return typeof image === 'string' && image !== '' ? { label, image } : undefined;
}

const lists = ({ status, text }: Exchange['response'], image: string): boolean =>
  status === 200 && text.includes(JSON.stringify(image));

/** Everything listed before `cleanUp` is still listed. */
export async function stillListed(run: Run, before: readonly Used[], cleanUp: Exchange): Promise<Mismatch[]> {
  if (before.length === 0) return [];
  const exchange = await run.client.call('listImages');
  return before
    .filter(({ image }) => exchange.response.status === 200 && !lists(exchange.response, image))
    .map(({ label, image }) => ({
      expected: `the image of ${label} among the images`,
      actual: `${image} is gone`,
      exchange,
      before: [cleanUp],
    }));
}
