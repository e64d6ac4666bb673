/** Prints a plan: what is sent how often and with which credential, how long it takes, and what may remain. */
import { escapeControls } from '../../reports/printable.ts';
import { surfaces } from '../../spec/openapi-document.ts';
import { DEFAULT_CONCURRENCY } from '../../suites/engine/open-run.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import type { Target } from '../../suites/target/target.ts';
import { describeEffects, describeNamedAgents, describeWorkloads } from './effects.ts';
import { describeCount, describeSeconds, estimateRun, estimateSeconds } from './estimate.ts';
import type { RunEstimate } from './estimate.ts';
import { sentIn } from './request-counts.ts';
import type { Counts, SentRequests } from './request-counts.ts';

export interface Plan {
  /** The target, which gets no requests. */
  readonly target: Target;
  /** The URLs that tokens are fetched from before the run. */
  readonly tokenUrls: readonly string[];
  readonly settings: Omit<RunSettings, 'target'>;
  /** Whether every method and path is listed, instead of sums. */
  readonly isDetailed: boolean;
}

/** Ends with a line feed. */
export function renderPlan({ target, tokenUrls, settings, isDetailed }: Plan): string {
  const { name, addresses, allow } = target;
  const { seed, runs, budget = 0, isQuick = false } = settings;
  const whole = estimateRun(target, { ...settings, isQuick: false });
  const quick = estimateRun(target, { ...settings, isQuick: true });
  const { counts, requestCount } = isQuick ? quick : whole;
  const inputs = isQuick ? 'the first round of inputs' : `${runs} inputs per property`;
  const parts = [
    `Plan of a run against ${escapeControls(name)} (${addresses.management}), allow: ${allow}, seed ${seed}, ${inputs}.`,
    tokenUrls.map((url) => `Token request before the run: POST ${url}`).join('\n'),
    isDetailed ? requestTable(counts) : requestSums(counts),
    `${describeCount(requestCount)} requests in total. All numbers are estimates from a run against the mock.\nA target that responds differently gets fewer or more: each failure is shrunk to\nits smallest input, and slow effects are polled.`,
    durationTable(whole, quick, target, settings),
    [
      ...describeEffects(counts, allow, budget),
      ...describeNamedAgents(target, counts),
      ...describeWorkloads(target, counts),
    ].join('\n'),
    'Nothing was sent to the target.',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function requestTable(counts: Counts): string {
  const rows = sentIn(counts);
  const width = Math.max(0, ...rows.map(([sent]) => describeRequests(sent).length));
  const line = ([sent, count]: [SentRequests, number]): string =>
    `${String(count).padStart(8)}  ${describeRequests(sent).padEnd(width)}  ${sent.credential}`;
  return surfaces
    .map((surface) => [surface, rows.filter(([sent]) => sent.surface === surface).map(line)] as const)
    .filter(([, lines]) => lines.length > 0)
    .map(([surface, lines]) => `${surface}\n${lines.join('\n')}`)
    .join('\n');
}

const DETAILS = 'Every method and path: add --exchanges all.';

/** Sums by surface and method, and by credential: the whole table does not fit on a screen. */
function requestSums(counts: Counts): string {
  const rows = sentIn(counts);
  const bySurface = surfaces
    .map((surface) => [surface, rows.filter(([sent]) => sent.surface === surface)] as const)
    .filter(([, own]) => own.length > 0)
    .map(([surface, own]) => `${surface.padEnd(13)}${sumsBy(own, ({ method }) => method)}`);
  return [...bySurface, `${'credentials'.padEnd(13)}${sumsBy(rows, ({ credential }) => credential)}`, DETAILS].join(
    '\n',
  );
}

/** Such as "GET 120, PUT 30", descending. */
const sumsBy = (rows: readonly [SentRequests, number][], keyOf: (sent: SentRequests) => string): string =>
  [...Map.groupBy(rows, ([sent]) => keyOf(sent))]
    .map(([key, own]) => [key, own.reduce((sum, [, count]) => sum + count, 0)] as const)
    .toSorted(([, one], [, other]) => other - one)
    .map(([key, count]) => `${key} ${count}`)
    .join(', ');

const describeRequests = ({ method, surface, path }: SentRequests): string =>
  path === undefined ? `${method} ${surface}, undocumented` : `${method} ${path}`;

const LATENCIES_MS = [10, 100, 300] as const;

function durationTable(
  whole: RunEstimate,
  quick: RunEstimate,
  { rate }: Target,
  { concurrency = DEFAULT_CONCURRENCY }: Plan['settings'],
): string {
  const row = (name: string, run: RunEstimate): string[] => [
    name,
    describeCount(run.requestCount),
    ...LATENCIES_MS.map((latencyMs) => describeSeconds(estimateSeconds(run, { latencyMs, rate, concurrency }))),
  ];
  const head = ['', 'requests', ...LATENCIES_MS.map((latencyMs) => `${latencyMs} ms`)];
  const rows = [head, row('all inputs', whole), row('--quick', quick)];
  const lines = rows.map(
    ([first = '', ...others]) => first.padEnd(12) + others.map((cell) => cell.padStart(10)).join(''),
  );
  const limit = rate === 0 ? 'no rate limit' : `at most ${rate} requests per second`;
  return `Estimated duration by latency of the target (--concurrency ${concurrency}, ${limit}), without deployments and other waits:\n${lines.join('\n')}`;
}
