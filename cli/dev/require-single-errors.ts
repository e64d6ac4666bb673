/** After `npm test`: a request body that our own cases expect to be refused has exactly one error, so that nothing else can be the reason. */
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ExchangeRecord } from '../../spec/verdicts.ts';
import { bodyFindings } from '../../spec/validators.ts';
import { EXCHANGES_FILE } from './conformance-files.ts';

/** Rules that send something that is no resource at all, such as `{}` or a list. */
const mayHaveSeveral: readonly RegExp[] = [/\.envelope-required$/, /^(errors|versions)\./, /^auth\.scopes\.what-/];

/** Sets the exit code. */
export async function requireSingleErrors(): Promise<void> {
  if (!existsSync(EXCHANGES_FILE)) return;
  const found = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(EXCHANGES_FILE) })) {
    const exchange = JSON.parse(line) as ExchangeRecord;
    const problem = severalErrors(exchange);
    if (problem !== undefined) found.set(exchange.requirement ?? '', problem);
  }
  if (found.size === 0) return;
  const lines = [...found].map(([rule, problem]) => `  ${rule}: ${problem}`);
  process.stderr.write(`Refused requests with several errors, of which any may be the reason:\n${lines.join('\n')}\n`);
  process.exitCode = 1;
}

/** Undefined if the request was not refused because of its content, or has at most one error. */
export function severalErrors({ requirement, operation, request, answer }: ExchangeRecord): string | undefined {
  if (requirement === undefined || operation === undefined || answer === null || request.body === null)
    return undefined;
  if (answer.status < 400 || [401, 403].includes(answer.status)) return undefined;
  if (mayHaveSeveral.some((rules) => rules.test(requirement))) return undefined;
  const places = new Set(bodyFindings(operation, parsed(request.body)).map(({ at }) => at));
  return places.size < 2 ? undefined : `${[...places].join(', ')} of ${operation}: ${request.body.slice(0, 200)}`;
}

/** Undefined if it is malformed, or truncated in the log. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
