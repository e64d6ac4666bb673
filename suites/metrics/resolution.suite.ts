/** metrics.resolution.*: the resolution of a response and the windows each resolution permits. */
import * as fc from 'fast-check';
import { judgedOn } from '../engine/traffic.ts';
import { metricsTraffic } from './metrics-traffic.ts';
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { alsoJudges, judges } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import { scaleRuns } from '../engine/for-all.ts';
import type { Mismatch } from '../target/violation.ts';
import { status } from '../expect/status.ts';
import { alignedWindow, unalignedWindow, windowOfLength, windowOfLengths } from '../kit/generators/window.ts';
import type { Exchange } from '../target/client.ts';
import { needAccepted } from '../kit/metrics/causes.ts';
import { parseMetrics, requestMetrics } from '../kit/metrics/request.ts';
import { acceptance, isValid, judgesPages, refusesQuery, seenMetrics, withEach } from '../kit/metrics/seen-metrics.ts';
import { lengthIn } from '../kit/metrics/seen-query.ts';
import { sendVariant, requestVariants, secondPageVariants } from '../kit/metrics/request-variants.ts';
import { rotate } from '../kit/rotate.ts';
import type { RequestVariant, RequestVariants } from '../kit/metrics/request-variants.ts';
import type { Resolution } from '../../spec/generated/types.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { resolutions } from '../../spec/values.ts';
import { everyPair } from './every-pair.ts';
import { aroundClockChanges } from './edge-case-windows.ts';
import type { Page } from './pages.ts';
import { DAY, SECOND, endOf, firstOfMonth, pastWindow, recentDay, windowOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

/** Request variants that must not affect the resolution. */
const resolutionVariants = (run: Run): Promise<RequestVariants> => requestVariants(run, { excluded: ['resolution'] });

const hasResolution = (exchange: Exchange, expected: Resolution): Mismatch[] =>
  resolutionIs({ exchange, metrics: parseMetrics(exchange) }, expected);

function resolutionIs({ exchange, metrics: { resolution } }: Page, expected: Resolution): Mismatch[] {
  return resolution === expected ? [] : [{ expected: `resolution ${expected}`, actual: String(resolution), exchange }];
}

const isRefusal = (exchange: Exchange) => status(exchange, 400);

const words =
  'hour,day,week,month,minutely,quarterly,yearly,biweekly,h,d,1h,1d,P1D,24,3600,auto,default,none,null,true,0,1,*,constructor,toString,__proto__';
const unknownNames = [
  ...resolutions.flatMap((name) => [
    name.toUpperCase(),
    name.charAt(0).toUpperCase() + name.slice(1),
    name.slice(0, -2),
    name.slice(0, -1),
    `${name}s`,
    `${name},${name}`,
    `"${name}"`,
  ]),
  ...words.split(','),
  'hourly,daily',
  'hourly|daily',
  'täglich',
];

refusesQuery('metrics.resolution.unknown-refused', (seen) => {
  const resolution = seen.parameter('resolution')?.trim() ?? '';
  return resolution !== '' && !(resolutions as readonly string[]).includes(resolution);
});

conforms('metrics.resolution.unknown-refused', async (run) => {
  const past = pastWindow(run);
  const long = [30, 200, 800].map((days) => windowOf(endOf(past) - days * DAY, endOf(past)));
  const windows = [recentDay(run), ...long];
  await needAccepted(run, { ...past });
  const { each, any } = await requestVariants(run, { excluded: ['resolution'], validQuery: windows[0]! });
  const word = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/);
  const longer = fc.tuple(fc.constantFrom(...resolutions), fc.stringMatching(/^[a-z0-9_-]{1,5}$/));
  const unknown = fc
    .oneof(
      word,
      longer.map((parts) => parts.join('')),
      fc.constantFrom(...unknownNames),
    )
    .filter((text) => !resolutions.includes(text as Resolution));
  await run.forAll(
    { window: fc.constantFrom(...windows), resolution: unknown, variant: any },
    async ({ window, resolution, variant }) => isRefusal(await sendVariant(run, variant, { ...window, resolution })),
    // Each variant with one of the names, in the window of the second page; the other names in windows of each length.
    {
      examples: unknownNames.map((resolution, at) => ({
        window: at < each.length ? windows[0]! : windows[at % windows.length]!,
        resolution,
        variant: each[at] ?? each[0]!,
      })),
    },
  );
});

judges(
  'metrics.resolution.explicit-echoed',
  'getAccountMetrics',
  (seen, facts) => {
    const requested = resolutions.find((name) => name === seen.parameter('resolution'));
    if (requested === undefined) return undefined;
    const page = seenMetrics(seen, facts);
    return page ? resolutionIs(page, requested) : seen.status === 200 ? undefined : acceptance(seen, facts);
  },
  withEach('resolution', resolutions),
);

conforms('metrics.resolution.explicit-echoed', async (run) => {
  await judgedOn(metricsTraffic, 'a response to a query with a resolution')(run);
  const past = pastWindow(run);
  const { each, any } = await resolutionVariants(run);
  const shortest = resolutions.map((resolution) => ({
    request: { window: recentDay(run), resolution },
    variant: each[0]!,
  }));
  await run.forAll(
    { request: fc.oneof(...resolutions.map((resolution) => validWindow(resolution, past))), variant: any },
    async ({ request: { window, resolution }, variant }) =>
      hasResolution(await sendVariant(run, variant, { ...window, resolution }), resolution),
    { examples: shortest },
  );
});

/** Windows below the cap of the resolution. */
function validWindow(resolution: Resolution, past: Window): fc.Arbitrary<{ window: Window; resolution: Resolution }> {
  const latest = endOf(past);
  const windows = fc.oneof(alignedWindow(resolution, latest), unalignedWindow(resolution, latest));
  return windows.map((window) => ({ window, resolution }));
}

const { hourlyBelowDays, dailyBelowDays, weeklyUpToDays, monthlyFromDays } = requirement(
  'metrics.resolution.picked-by-window',
).values;

/** In days, of windows whose boundaries are tested. */
const LONGEST = 4000;

/** In days: from `from` (inclusive) to the last second before `to`. Lengths around a year, of 365 days, are omitted. */
const pickedResolutions: { resolution: Resolution; from: number; to: number }[] = [
  { resolution: 'hourly', from: 0, to: hourlyBelowDays },
  { resolution: 'daily', from: hourlyBelowDays, to: dailyBelowDays },
  { resolution: 'weekly', from: dailyBelowDays, to: weeklyUpToDays },
  { resolution: 'monthly', from: monthlyFromDays, to: LONGEST },
];

/** In milliseconds. */
interface Length {
  readonly length: number;
  readonly resolution: Resolution;
}

/** The first and the last length of each resolution. */
const boundaryLengths: readonly Length[] = [
  ...pickedResolutions.flatMap(({ resolution, from, to }) =>
    [from * DAY, to * DAY - SECOND].map((length) => ({ length, resolution })),
  ),
  { length: weeklyUpToDays * DAY, resolution: 'weekly' as const },
].filter(({ length }) => length > 0 && length < LONGEST * DAY - SECOND);

const otherLengths: readonly Length[] = [
  ...pickedResolutions.flatMap(({ resolution, from, to }) =>
    [from * DAY + SECOND, ((from + to) / 2) * DAY, ((from + 3 * to) / 4) * DAY].map((length) => ({
      length,
      resolution,
    })),
  ),
  ...[20, 50].map((years): Length => ({ length: years * monthlyFromDays * DAY, resolution: 'monthly' })),
];

/** Lengths at which a day of 23 or 25 hours would change the picked resolution. */
const dayBoundaryLengths: readonly Length[] = [
  { length: hourlyBelowDays * DAY - SECOND, resolution: 'hourly' },
  { length: hourlyBelowDays * DAY, resolution: 'daily' },
  { length: dailyBelowDays * DAY - SECOND, resolution: 'daily' },
  { length: dailyBelowDays * DAY, resolution: 'weekly' },
];

interface PickingRequest {
  readonly request: { readonly window: Window; readonly resolution: Resolution };
  readonly variant: RequestVariant;
}

/** Undefined if the length of a year or digits below a second decide. */
function pickedResolution(seen: Seen): Resolution | undefined {
  const length = lengthIn(seen);
  return pickedResolutions.find(({ resolution, from, to }) => {
    if (length === undefined || length.min < from * DAY) return false;
    return resolution === 'monthly' || length.max < to * DAY || (resolution === 'weekly' && length.max === to * DAY);
  })?.resolution;
}

judgesPages('metrics.resolution.picked-by-window', (page, seen) => {
  const expected = seen.parameter('resolution') === undefined ? pickedResolution(seen) : undefined;
  return expected && resolutionIs(page, expected);
});

conforms('metrics.resolution.picked-by-window', async (run) => {
  const latest = endOf(pastWindow(run));
  const cases = pickedResolutions.map(({ resolution, from, to }) => {
    const shortest = Math.max(from * DAY, SECOND);
    const longest = to * DAY - SECOND;
    const boundaryWindows = [shortest, shortest + SECOND, longest].map((length) => windowOfLength(length, latest));
    return fc.record({
      window: fc.oneof(...boundaryWindows, windowOfLengths(shortest, longest, latest)),
      resolution: fc.constant(resolution),
    });
  });
  const { each, any } = await resolutionVariants(run);
  const picks = async ({ request: { window, resolution }, variant }: PickingRequest): Promise<Mismatch[]> =>
    hasResolution(await sendVariant(run, variant, { ...window }), resolution);
  const boundaries = [...everyPair(boundaryLengths, each), ...rotate(otherLengths, each, 1)].map(
    ([{ length, resolution }, variant]) => ({
      request: { window: windowOf(latest - length, latest), resolution },
      variant,
    }),
  );
  await run.forEach(boundaries, picks, { all: true });
  const acrossClockChanges = dayBoundaryLengths.flatMap(({ length, resolution }) =>
    aroundClockChanges(length, latest).map((window) => ({ request: { window, resolution }, variant: each[0]! })),
  );
  await run.forEach(acrossClockChanges, picks);
  await run.forAll({ request: fc.oneof(...cases), variant: any }, picks, { runs: scaleRuns(run, 50) });
});

const seconds = (days: number) => days * 86_400;

/** Exactly `acceptedDays` days are accepted; `refusedDays` days and a second or more are refused. */
async function checkCap(run: Run, resolution: Resolution, acceptedDays: number, refusedDays: number): Promise<void> {
  const latest = endOf(pastWindow(run));
  const tooLong = fc.oneof(
    fc.constant(seconds(refusedDays) + 1),
    fc.integer({ min: 1, max: 7200 }).map((more) => seconds(refusedDays) + more),
    fc.integer({ min: seconds(refusedDays) + 1, max: seconds(refusedDays) * 3 }),
    fc.constantFrom(refusedDays + 1, refusedDays + 2, refusedDays + 7, refusedDays * 2, 1000, 3660).map(seconds),
  );
  const request = fc.oneof(
    fc.constant({ length: seconds(acceptedDays), code: 200 }),
    tooLong.map((length) => ({ length, code: 400 })),
  );
  const caps = [
    { length: seconds(acceptedDays), code: 200 },
    { length: seconds(refusedDays) + 1, code: 400 },
  ];
  const others = [3660, 2 * refusedDays].map((days) => ({ length: seconds(days), code: 400 }));
  const { each, any } = await resolutionVariants(run);
  await run.forAll(
    { request, earlier: fc.integer({ min: 0, max: 30 * 86_400 }), variant: any },
    async ({ request: { length, code }, earlier, variant }) => {
      const end = latest - earlier * SECOND;
      return status(await sendVariant(run, variant, { ...windowOf(end - length * SECOND, end), resolution }), code);
    },
    {
      examples: [
        ...each.flatMap((variant) => caps.map((cap) => ({ request: cap, earlier: 0, variant }))),
        ...others.map((tooMuch) => ({ request: tooMuch, earlier: 0, variant: each[0]! })),
      ],
      all: true,
    },
  );
  const start = latest - acceptedDays * DAY;
  const [longest, tooLongWindow] = [windowOf(start, latest), windowOf(start, start + refusedDays * DAY + SECOND)];
  await run.forEach(await secondPageVariants(run, { ...longest, resolution }), async (variant) =>
    status(await sendVariant(run, variant, { ...tooLongWindow, resolution }), 400),
  );
  // Across days of 23 or 25 hours.
  const acrossClockChanges = caps.flatMap(({ length, code }) =>
    aroundClockChanges(length * SECOND, latest).map((window) => ({ window, code })),
  );
  await run.forEach(acrossClockChanges, async ({ window, code }) =>
    status(await requestMetrics(run.client, { ...window, resolution }), code),
  );
}

/** Longer windows are refused, shorter ones accepted. */
function judgesCap(
  rule: 'metrics.resolution.hourly-cap' | 'metrics.resolution.daily-cap' | 'metrics.resolution.weekly-cap',
  resolution: Resolution,
  refusedDays: number,
): void {
  const isOfRule = (seen: Seen): boolean => seen.parameter('resolution') === resolution;
  refusesQuery(rule, (seen) => isOfRule(seen) && (lengthIn(seen)?.min ?? 0) > refusedDays * DAY);
  alsoJudges(rule, (seen, facts) => (isOfRule(seen) && isValid(seen, facts) ? acceptance(seen, facts) : undefined));
}

judgesCap('metrics.resolution.hourly-cap', 'hourly', requirement('metrics.resolution.hourly-cap').values.capDays);

conforms('metrics.resolution.hourly-cap', (run) => {
  const { capDays } = run.rule.values;
  return checkCap(run, 'hourly', capDays, capDays);
});

judgesCap('metrics.resolution.daily-cap', 'daily', requirement('metrics.resolution.daily-cap').values.capDays);

conforms('metrics.resolution.daily-cap', (run) => {
  const { capDays } = run.rule.values;
  return checkCap(run, 'daily', capDays, capDays);
});

judgesCap(
  'metrics.resolution.weekly-cap',
  'weekly',
  requirement('metrics.resolution.weekly-cap').values.refusedAboveDays,
);

conforms('metrics.resolution.weekly-cap', (run) => {
  const { acceptedDays, refusedAboveDays } = run.rule.values;
  return checkCap(run, 'weekly', acceptedDays, refusedAboveDays);
});

judges('metrics.resolution.monthly-uncapped', 'getAccountMetrics', (seen, facts) =>
  seen.parameter('resolution') === 'monthly' ? acceptance(seen, facts) : undefined,
);

conforms('metrics.resolution.monthly-uncapped', async (run) => {
  const latest = endOf(pastWindow(run));
  const months = [12, 18, 24, 30, 36, 42, 48, 54, 60, 72, 84, 96, 120, 150, 180, 240, 400, 600];
  const wholeMonths = months.map((count) => windowOf(firstOfMonth(latest, -count), firstOfMonth(latest)));
  const windows = fc.oneof(fc.constantFrom(...wholeMonths), windowOfLengths(monthlyFromDays * DAY, 7300 * DAY, latest));
  const { each, any } = await resolutionVariants(run);
  await run.forAll(
    { window: windows, variant: any },
    async ({ window, variant }) => status(await sendVariant(run, variant, { ...window, resolution: 'monthly' }), 200),
    {
      examples: rotate(wholeMonths, each, 4).map(([window, variant]) => ({ window, variant })),
    },
  );
});
