/**
 * After `npm test`: a JSON body that was refused because of its content has at most one error according to the documents, so
 * that nothing else can be the reason. Bodies that the exchange log truncated are not checked.
 */
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ExchangeRecord } from '../../spec/verdicts.ts';
import type { Finding } from '../../spec/findings.ts';
import { bodyFindings } from '../../spec/validators.ts';
import { EXCHANGES_FILE } from './conformance-files.ts';

/**
 * Rules that send something that is no resource at all, such as `{}` or a list, or that are not about the content of a body. An
 * empty name is both too short and not a name.
 */
const rulesAllowingSeveralErrors: readonly RegExp[] = [
  /\.envelope-required$/,
  /^(errors|versions)\./,
  /^auth\.scopes\.what-/,
  /^naming\.name\.required$/,
];

/** Sets exit code 1 if there is such a body. Only our own tests, without suites, record no exchanges. */
export async function requireSingleErrors(): Promise<void> {
  if (!existsSync(EXCHANGES_FILE)) return;
  const problemsByRule = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(EXCHANGES_FILE) })) {
    const exchange = JSON.parse(line) as ExchangeRecord;
    const problem = describeSeveralErrors(exchange);
    if (problem !== undefined) problemsByRule.set(exchange.requirement ?? '', problem);
  }
  if (problemsByRule.size === 0) return;
  const lines = [...problemsByRule].map(([rule, problem]) => `  ${rule}: ${problem}`);
  process.stderr.write(`Refused requests with more than one error, so the reason is ambiguous:\n${lines.join('\n')}\n`);
  process.exitCode = 1;
}

/** Undefined if the request was not refused because of its content, or has at most one error. */
export function describeSeveralErrors({ requirement, operation, request, answer }: ExchangeRecord): string | undefined {
  if (requirement === undefined || operation === undefined || answer === null || request.body === null)
    return undefined;
  if (answer.status < 400 || [401, 403].includes(answer.status)) return undefined;
  if (rulesAllowingSeveralErrors.some((rules) => rules.test(requirement))) return undefined;
  const errors = new Set(bodyFindings(operation, parsed(request.body)).map(describeError));
  return errors.size < 2 ? undefined : `${[...errors].join(', ')} of ${operation}: ${request.body.slice(0, 200)}`;
}

/** A value of a wrong type is none of the allowed values either: one error. */
const describeError = ({ at, says, keyword }: Finding): string =>
  keyword === 'type' || keyword === 'enum' ? `${at} has a wrong value` : says;

/** Undefined if it is malformed, or truncated in the log. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
