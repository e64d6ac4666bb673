/** Counts the exchanges of the proxy and prints their violations of the documents. */
import { escapeControls } from '../../reports/printable.ts';
import type { Operation } from '../../spec/operations.ts';
import type { PrismReader } from '../../spec/prism/reader.ts';
import type { AdminOnly } from './admin-only.ts';
import type { Violation } from './check-exchange.ts';
import { checkExchange } from './check-exchange.ts';
import type { ForwardedExchange } from './forward.ts';
import { valuesOf } from './end-to-end.ts';
import type { Mount } from './mounts.ts';
import { operationAt } from './mounts.ts';
import type { Secrets } from './secrets.ts';
import type { Tally } from './tally.ts';
import { rowOf } from './tally.ts';

export interface Watching {
  readonly reader: PrismReader;
  readonly secrets: Secrets;
  readonly adminOnly: AdminOnly;
  readonly tally: Tally;
  /** Writes text that includes its line ends. */
  readonly print: (text: string) => void;
}

/** Only the first findings are printed. */
const MAX_FINDINGS = 8;

/** For what passes to one origin. */
export function watcherOf(
  origin: string,
  mounts: readonly Mount[],
  watching: Watching,
): (exchange: ForwardedExchange) => void {
  const { reader, secrets, adminOnly, tally, print } = watching;
  const line = (text: string): void => print(`${escapeControls(secrets.clean(text))}\n`);

  function reportUndocumented(what: string): void {
    tally.others += 1;
    line(`Not checked: ${what}.`);
  }

  function check(exchange: ForwardedExchange): void {
    const { method, url, response, failure } = exchange;
    const [path = ''] = url.split('?', 1);
    secrets.learn(exchange);
    if (failure !== undefined) {
      tally.unanswered += 1;
      line(`${method} ${path}: ${failure} from ${origin}.`);
    }
    if (isPreflight(exchange)) return;
    const found = operationAt(mounts, method, url);
    if (found === undefined) return reportUndocumented(`${method} ${path}, which is not in the documents`);
    const { operation } = found;
    if (!operation.documented) return reportUndocumented(`${titleOf(operation)}, which is not a documented operation`);
    const { responseCheck, violations, unchecked } = checkExchange(
      found,
      exchange,
      reader,
      adminOnly(found, exchange.headers),
    );
    const row = rowOf(tally, operation.id);
    row.exchanges += 1;
    if (responseCheck === 'checked') row.checked += 1;
    if (responseCheck === 'undocumented') row.undocumented += 1;
    if (violations.some((each) => isCounted(each, response?.status))) row.violating += 1;
    // A failure has been reported above.
    for (const { side, reason } of failure === undefined ? unchecked : []) {
      tally.unchecked.set(reason, (tally.unchecked.get(reason) ?? 0) + 1);
      const body = side === 'request' ? 'the body of' : 'the response to';
      line(`Not checked: ${body} ${method} ${path} (${operation.id}), because ${reason}.`);
    }
    for (const each of violations) print(violationText(each, operation, response?.status, secrets));
    if (violations.length > 0) print(curlText(secrets.curl(origin, exchange)));
  }

  return (exchange) => {
    try {
      check(exchange);
    } catch (error) {
      tally.proxyErrors += 1; // The proxy continues to forward.
      line(`${exchange.method} ${exchange.url} could not be checked: ${(error as Error).stack ?? String(error)}`);
    }
  };
}

/** The comment before the command has a line of its own. */
const curlText = (text: string): string => {
  const lines = /^(#[^\n]*)\n([^]*)$/.exec(text)?.slice(1) ?? [text];
  return lines.map((each) => `  ${escapeControls(each)}\n`).join('');
};

/** The browser's own request, which is not an operation. */
const isPreflight = ({ method, headers }: ForwardedExchange): boolean =>
  method === 'OPTIONS' && valuesOf(headers, 'access-control-request-method').length > 0;

const titleOf = ({ method, path, id }: Operation): string => `${method} ${path} (${id})`;

/** Whether the exchange counts as a violation: an invalid request that the target refuses is no violation. */
const isCounted = ({ side }: Violation, status?: number): boolean =>
  side === 'target' || (status !== undefined && status < 400);

const readerNames = { both: 'Ajv and Prism', ours: 'Ajv', prism: 'Prism' } as const;

function violationText(
  violation: Violation,
  operation: Operation,
  status: number | undefined,
  { clean }: Secrets,
): string {
  const { side, findings, readers, rules } = violation;
  const outcome = status === undefined ? 'no response' : `status ${status}`;
  const note = isCounted(violation, status) ? '' : ', not counted';
  const more = findings.length - MAX_FINDINGS;
  return [
    `Violation by the ${side}: ${titleOf(operation)}, ${outcome}${note}`,
    ...findings.slice(0, MAX_FINDINGS).map((each) => `  ${sentence(each)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `  found by ${readerNames[readers]}${rules.length === 0 ? '' : `; rules: ${rules.join(', ')}`}`,
    '',
  ]
    .map((text) => escapeControls(clean(text)))
    .join('\n');
}

/** Findings of Ajv begin with the place. */
const sentence = ({ at, says }: Violation['findings'][number]): string =>
  at === '' || says.startsWith(at) ? says : `${at}: ${says}`;
