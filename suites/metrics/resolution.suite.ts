/** Which resolution an answer has, and which windows each may be asked for. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { shareOf } from '../engine/for-all.ts';
import type { Mismatch } from '../target/violation.ts';
import { status } from '../expect/status.ts';
import { alignedWindow, unalignedWindow, windowOfLength, windowOfLengths } from '../kit/generators/window.ts';
import type { Exchange } from '../target/client.ts';
import { answerOf, askMetrics, needAnswered, tryEach } from '../kit/metrics/ask.ts';
import { askBeside, askings, inTurn, laterPage } from '../kit/metrics/beside.ts';
import type { Askings } from '../kit/metrics/beside.ts';
import type { Resolution } from '../../spec/generated/types.ts';
import { resolutions } from '../../spec/values.ts';
import { aroundClockChanges } from './odd-windows.ts';
import { DAY, SECOND, endOf, firstOfMonth, lastOf, pastWindow, windowOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

/** What a resolution must not depend on. */
const others = (run: Run): Promise<Askings> => askings(run, { without: ['resolution'] });

function resolutionIs(exchange: Exchange, expected: Resolution): Mismatch[] {
  const { resolution } = answerOf(exchange);
  return resolution === expected ? [] : [{ expected: `resolution ${expected}`, actual: String(resolution), exchange }];
}

const isRefused = (exchange: Exchange) => status(exchange, 400);

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

conforms('metrics.resolution.unknown-refused', async (run) => {
  const past = pastWindow(run);
  const windows = [1, 30, 200, 800].map((days) => windowOf(endOf(past) - days * DAY, endOf(past)));
  await needAnswered(run, { ...lastOf(past, DAY) });
  const queries = windows.flatMap((window) => unknownNames.map((resolution) => ({ ...window, resolution })));
  await tryEach(run, run.client, queries, isRefused);
  const { each, any } = await askings(run, { without: ['resolution'], refusedIn: windows[0]! });
  const plain = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/);
  const longer = fc.tuple(fc.constantFrom(...resolutions), fc.stringMatching(/^[a-z0-9_-]{1,5}$/));
  const unknown = fc
    .oneof(
      plain,
      longer.map((parts) => parts.join('')),
      fc.constantFrom(...unknownNames),
    )
    .filter((text) => !resolutions.includes(text as Resolution));
  await run.forAll(
    { window: fc.constantFrom(...windows), resolution: unknown, asking: any },
    async ({ window, resolution, asking }) => isRefused(await askBeside(run, asking, { ...window, resolution })),
    {
      examples: inTurn(each, ['day', 'auto', 'HOURLY', 'dai'], 1).map(([asking, resolution]) => ({
        window: windows[0]!,
        resolution,
        asking,
      })),
    },
  );
});

conforms('metrics.resolution.explicit-echoed', async (run) => {
  const past = pastWindow(run);
  const day = lastOf(past, DAY);
  const asked = fc.oneof(...resolutions.map((resolution) => windowFor(resolution, past)));
  const { each, any } = await others(run);
  const examples = resolutions.flatMap((resolution) =>
    each.map((asking) => ({ asked: { window: day, resolution }, asking })),
  );
  await run.forAll(
    { asked, asking: any },
    async ({ asked: { window, resolution }, asking }) =>
      resolutionIs(await askBeside(run, asking, { ...window, resolution }), resolution),
    { examples },
  );
});

/** Windows that the resolution may be asked for, short of its cap. */
function windowFor(resolution: Resolution, past: Window): fc.Arbitrary<{ window: Window; resolution: Resolution }> {
  const latest = endOf(past);
  const windows = fc.oneof(alignedWindow(resolution, latest), unalignedWindow(resolution, latest));
  return windows.map((window) => ({ window, resolution }));
}

/** In days: from, included, to the last second before `to`. A year's own lengths, 365 days, are left out. */
const picked: { resolution: Resolution; from: number; to: number }[] = [
  { resolution: 'hourly', from: 0, to: 7 },
  { resolution: 'daily', from: 7, to: 90 },
  { resolution: 'weekly', from: 90, to: 364 },
  { resolution: 'monthly', from: 366, to: 4000 },
];

/** In milliseconds. */
interface Length {
  readonly length: number;
  readonly resolution: Resolution;
}

const lengths: readonly Length[] = [
  ...picked.flatMap(({ resolution, from, to }) =>
    [from * DAY, from * DAY + SECOND, ((from + to) / 2) * DAY, ((from + 3 * to) / 4) * DAY, to * DAY - SECOND]
      .filter((length) => length > 0)
      .map((length) => ({ length, resolution })),
  ),
  { length: 364 * DAY, resolution: 'weekly' },
  ...[20, 50].map((years): Length => ({ length: years * 366 * DAY, resolution: 'monthly' })),
];

/** The longest and the shortest where the days of some place, longer or shorter than others, would lead to another one. */
const edges: readonly Length[] = [
  { length: 7 * DAY - SECOND, resolution: 'hourly' },
  { length: 7 * DAY, resolution: 'daily' },
  { length: 90 * DAY - SECOND, resolution: 'daily' },
  { length: 90 * DAY, resolution: 'weekly' },
];

conforms('metrics.resolution.picked-by-window', async (run) => {
  const latest = endOf(pastWindow(run));
  const cases = picked.map(({ resolution, from, to }) => {
    const shortest = Math.max(from * DAY, SECOND);
    const longest = to * DAY - SECOND;
    const near = [shortest, shortest + SECOND, longest].map((length) => windowOfLength(length, latest));
    return fc.record({
      window: fc.oneof(...near, windowOfLengths(shortest, longest, latest)),
      resolution: fc.constant(resolution),
    });
  });
  const { each, any } = await others(run);
  const examples = inTurn(lengths, each, 4).map(([{ length, resolution }, asking]) => ({
    asked: { window: windowOf(latest - length, latest), resolution },
    asking,
  }));
  const acrossClockChanges = edges.flatMap(({ length, resolution }) =>
    aroundClockChanges(length, latest).map((window) => ({ asked: { window, resolution }, asking: each[0]! })),
  );
  await run.forAll(
    { asked: fc.oneof(...cases), asking: any },
    async ({ asked: { window, resolution }, asking }) =>
      resolutionIs(await askBeside(run, asking, { ...window }), resolution),
    { examples: [...examples, ...acrossClockChanges] },
  );
});

const seconds = (days: number) => days * 86_400;

/** `accepted` days exactly are answered, `refused` days and a second or more are not. */
async function capHolds(run: Run, resolution: Resolution, accepted: number, refused: number): Promise<void> {
  const latest = endOf(pastWindow(run));
  const tooLong = fc.oneof(
    fc.constant(seconds(refused) + 1),
    fc.integer({ min: 1, max: 7200 }).map((more) => seconds(refused) + more),
    fc.integer({ min: seconds(refused) + 1, max: seconds(refused) * 3 }),
    fc.constantFrom(refused + 1, refused + 2, refused + 7, refused * 2, 1000, 3660).map(seconds),
  );
  const asked = fc.oneof(
    fc.constant({ length: seconds(accepted), code: 200 }),
    tooLong.map((length) => ({ length, code: 400 })),
  );
  const caps = [
    { length: seconds(accepted), code: 200 },
    { length: seconds(refused) + 1, code: 400 },
  ];
  const { each, any } = await others(run);
  await run.forAll(
    { asked, earlier: fc.integer({ min: 0, max: 30 * 86_400 }), asking: any },
    async ({ asked: { length, code }, earlier, asking }) => {
      const end = latest - earlier * SECOND;
      return status(await askBeside(run, asking, { ...windowOf(end - length * SECOND, end), resolution }), code);
    },
    { examples: caps.flatMap((cap) => each.map((asking) => ({ asked: cap, earlier: 0, asking }))) },
  );
  const start = latest - accepted * DAY;
  const [longest, beyond] = [windowOf(start, latest), windowOf(start, start + refused * DAY + SECOND)];
  for (const asking of await laterPage(run, { ...longest, resolution }))
    run.check(status(await askBeside(run, asking, { ...beyond, resolution }), 400));
  // Where the days of some place are longer or shorter than others.
  for (const { length, code } of caps)
    for (const window of aroundClockChanges(length * SECOND, latest))
      run.check(status(await askMetrics(run.client, { ...window, resolution }), code));
}

conforms('metrics.resolution.hourly-cap', (run) => capHolds(run, 'hourly', 7, 7));
conforms('metrics.resolution.daily-cap', (run) => capHolds(run, 'daily', 90, 90));
conforms('metrics.resolution.weekly-cap', (run) => capHolds(run, 'weekly', 365, 366));

conforms('metrics.resolution.monthly-uncapped', async (run) => {
  const latest = endOf(pastWindow(run));
  const months = [12, 18, 24, 30, 36, 42, 48, 54, 60, 72, 84, 96, 120, 150, 180, 240, 400, 600];
  const wholeMonths = months.map((count) => windowOf(firstOfMonth(latest, -count), firstOfMonth(latest)));
  const windows = fc.oneof(fc.constantFrom(...wholeMonths), windowOfLengths(366 * DAY, 7300 * DAY, latest));
  const { each, any } = await others(run);
  await run.forAll(
    { window: windows, asking: any },
    async ({ window, asking }) => status(await askBeside(run, asking, { ...window, resolution: 'monthly' }), 200),
    {
      runs: shareOf(run, 50),
      examples: inTurn(wholeMonths, each, 4).map(([window, asking]) => ({ window, asking })),
    },
  );
});
