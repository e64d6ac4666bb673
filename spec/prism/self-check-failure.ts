/** Explains a failed self-check of Prism. */
import type { SelfCheck } from './self-check.ts';

/** Returns one sentence, or undefined if every invalid response was rejected. */
export function describeSelfCheckFailure({ sent, caught, missed }: SelfCheck): string | undefined {
  if (sent === 0) return 'The self-check of Prism sent no invalid response, so its findings are not reliable.';
  if (caught === sent) return undefined;
  const first = missed[0] === undefined ? '' : ` ${missed[0]}.`;
  return `Prism accepted ${sent - caught} of ${sent} invalid responses, so its findings are not reliable.${first}`;
}
