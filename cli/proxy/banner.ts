/** The start message of the proxy: which of its addresses forwards to which of the target's. */
import { isLoopback } from '../../spec/network/loopback.ts';
import { surfaces } from '../../spec/openapi-document.ts';
import type { Addresses } from './mounts.ts';

/** `canaries`: the number of invalid sample responses, all of which Prism rejected. */
export function proxyBanner(target: Addresses, own: Addresses, canaries: number): string {
  const rows = surfaces.flatMap((surface) => {
    const [here, there] = [own[surface], target[surface]];
    return here === undefined || there === undefined ? [] : [[surface, here, there] as const];
  });
  const width = Math.max(...rows.map(([, here]) => here.length));
  const open = Object.values(own).find((address) => !isLoopback(new URL(address).hostname));
  const lines = rows.map(([surface, here, there]) => `  ${surface.padEnd(10)}  ${here.padEnd(width)}  for  ${there}`);
  return `The proxy is ready; press Ctrl-C to stop. Validator self-check: ${canaries} of ${canaries}.\n\n${lines.join('\n')}\n\n${open === undefined ? '' : warning(open)}`;
}

const warning = (address: string): string =>
  `${new URL(address).hostname} is not a loopback address: anyone who can reach the proxy can send requests to the target, and read the credentials of a mock at /_mock/target.\n\n`;
