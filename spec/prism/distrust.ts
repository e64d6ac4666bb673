/** Whether Prism has proved, by known-bad answers, that it validates at all. */
import type { Canaries } from './canaries.ts';

/** A sentence; undefined where it found every one of them bad. */
export function whyDistrusted({ sent, caught, missed }: Canaries): string | undefined {
  if (sent === 0) return 'Prism was given no known-bad answer, so that it proves nothing.';
  if (caught === sent) return undefined;
  const first = missed[0] === undefined ? '' : ` ${missed[0]}.`;
  return `Prism passed over ${sent - caught} of ${sent} known-bad answers, so that it proves nothing.${first}`;
}
