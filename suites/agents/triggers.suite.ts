/** agents.triggers.*: types, ids, timeouts, schedules and callback secrets. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { isLeftOut } from '../json/fields.ts';
import { status } from '../expect/status.ts';
import { cronExpression, cronExpressions, otherFieldCount, otherFieldCounts } from '../generators/cron-expression.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { nearTriggerTypes, unknownWord } from '../generators/unknown-word.ts';
import { rotateVariants } from '../kit/provision/caller-variants.ts';
import type { Exchange } from '../target/client.ts';
import {
  REFUSED,
  isReadable,
  sendBaseline,
  needAccepted,
  put,
  read,
  refusedMetadata,
  checkUnchanged,
  waysToUpdate,
  withEachSubject,
  withSubject,
} from '../kit/agents/subject.ts';
import type { Baseline, Spec, Subject } from '../kit/agents/subject.ts';
import {
  hasCallbackUrl,
  triggerFrom,
  acceptedSecretMismatches,
  clientSecretMismatches,
  serverSecretMismatches,
  secretOfSameFormat,
  withCallbackSecret,
  triggerDraw,
} from './callback-secrets.ts';
import { cron, http, insertTrigger, httpAsync, positionAt, positions, validTriggers, triggersIn } from './triggers.ts';
import type { Trigger } from './triggers.ts';
import { mayOmitRuntime, putWithoutRuntime, showsMk2 } from '../kit/agents/without-runtime.ts';

const ACCEPTED_RUNS = 25;
/** Percent of the run's inputs, in addition to the near misses. */
const REFUSED_RUNS = 60;

/** The id of the trigger that the agent has while its updates are refused. */
const BASELINE_ID = 'assay-known';

/** Ids of the trigger in such an update: none, a new one, that of the existing trigger. */
const sentIds = [undefined, REFUSED, BASELINE_ID] as const;
const idAt = (index: number) => sentIds[index % sentIds.length];

/** Without `id` if it is undefined. */
const withId = (id: string | undefined, trigger: object): object => (id === undefined ? trigger : { id, ...trigger });

const baselineWith = (run: Run, subject: Subject, trigger: Trigger): Promise<Baseline> =>
  sendBaseline(run, subject, { triggers: [withId(BASELINE_ID, trigger)] });

/** A spec with an invalid trigger; half of them also disable the agent. */
const specWith = (triggers: readonly object[], isDisabling: boolean): Spec => ({
  triggers,
  ...(isDisabling && { enabled: false }),
});

/** A final refused update with visible values. */
const checkLastRefusal = async (run: Run, subject: Subject, trigger: Trigger): Promise<Mismatch[]> =>
  status(await put(run, subject, specWith([withId(REFUSED, trigger)], true), refusedMetadata), 400);

conforms('agents.triggers.type-known', async (run) => {
  await withEachSubject(run, async (subject) => {
    await needAccepted(run, subject, { triggers: validTriggers }, 'triggers of every type');
    const ways = await waysToUpdate(run, subject);
    const before = await baselineWith(run, subject, http('/assay/known'));
    await run.forAll(
      {
        type: unknownWord(run.rule.values.types),
        place: fc.constantFrom(...positions),
        way: fc.constantFrom(...ways),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
        isDisabling: fc.boolean(),
        configuration: fc.constantFrom<object[]>({ path: `/${REFUSED}` }, { schedule: '0 9 * * 1' }),
      },
      async ({ place, way, id, isDisabling, ...trigger }) => {
        const spec = specWith(insertTrigger(withId(id, trigger), place), isDisabling);
        return status(await put(run, subject, spec, refusedMetadata, way), 400);
      },
      {
        runs: scaleRuns(run, REFUSED_RUNS),
        examples: rotateVariants(
          ways,
          nearTriggerTypes.map((type, index) => ({
            type,
            place: positionAt(index),
            enabled: true,
            id: idAt(index),
            isDisabling: index % 2 === 0,
            configuration: { path: `/${REFUSED}` },
          })),
        ),
      },
    );
    run.check(await checkLastRefusal(run, subject, { type: 'assay', configuration: { path: `/${REFUSED}` } }));
    run.check(await checkUnchanged(run, before));
  });
});

conforms('agents.triggers.ids-distinct', async (run) => {
  const id = fc.constantFrom('a', 'b', 'a-1', 'a-2', 'a-3', 'a1', 'a-a', 'trigger-1');
  const type = fc.constantFrom('http', 'http-async', 'cron');
  const trigger: fc.Arbitrary<Identified> = fc.record({ type, id, enabled: fc.boolean() }, { requiredKeys: ['type'] });
  const [none, a] = [{ type: 'http' }, { type: 'http', id: 'a' }];
  await withEachSubject(run, async (subject) => {
    await run.forAll(
      { triggers: fc.array(trigger, { minLength: 1, maxLength: 6 }) },
      async ({ triggers }) => {
        const exchange = await put(run, subject, { triggers: triggers.map(configured) });
        return exchange.response.status === 200 ? distinctIds(exchange, triggers.length) : status(exchange, 200);
      },
      {
        runs: Math.min(run.runs, 2 * ACCEPTED_RUNS),
        examples: [
          [none],
          [none, none, none],
          [a, a],
          [a, a, a, a],
          [a, { ...a, type: 'cron' }, { ...a, type: 'http-async' }],
          [a, a, { ...a, id: 'a-2' }, { ...a, id: 'a-1' }],
          [{ ...a, id: 'a-2' }, a, a, none],
          [a, none, a, none],
          [
            { ...a, enabled: false },
            { ...a, enabled: false },
            { ...none, enabled: false },
          ],
        ].map((triggers) => ({ triggers })),
      },
    );
  });
});

interface Identified {
  readonly type: string;
  readonly id?: string;
  readonly enabled?: boolean;
}

function configured(trigger: Identified, index: number): object {
  const configuration = trigger.type === 'cron' ? { schedule: '0 9 * * 1' } : { path: `/assay/${index}` };
  return { ...trigger, configuration };
}

function distinctIds(exchange: Exchange, sent: number): Mismatch[] {
  const triggers = triggersIn(exchange);
  const ids = triggers.map(({ id }) => id);
  const missing = ids.filter((id) => typeof id !== 'string' || id === '').length;
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...(ids.length === sent ? [] : [{ expected: `${sent} triggers`, actual: `${ids.length} triggers`, exchange }]),
    ...(missing === 0 ? [] : [{ expected: 'an id in every trigger', actual: `none in ${missing}`, exchange }]),
    ...(repeated.length === 0
      ? []
      : [{ expected: 'ids all distinct', actual: `twice: ${repeated.join(', ')}`, exchange }]),
  ];
}

conforms('agents.triggers.timeout-at-most-900', async (run) => {
  const { maxSeconds } = run.rule.values;
  const specWithTimeout = (timeout: number, place: readonly [number, number]): Spec => ({
    triggers: insertTrigger(httpAsync('/assay/timed', { timeout }), place),
  });
  await withSubject(run, 'mk3', async (subject) => {
    await run.forAll(
      { timeout: fc.integer({ min: 1, max: maxSeconds }), place: fc.constantFrom(...positions) },
      async ({ timeout, place }) => status(await put(run, subject, specWithTimeout(timeout, place)), 200),
      {
        runs: Math.min(run.runs, ACCEPTED_RUNS),
        examples: [1, 60, maxSeconds - 1, maxSeconds].flatMap((timeout) =>
          positions.map((place) => ({ timeout, place })),
        ),
      },
    );
    const ways = await waysToUpdate(run, subject);
    const before = await baselineWith(run, subject, httpAsync('/assay/known'));
    const excess = [1, 2, 10, 99, 100, 900, 2700, 86_400, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1];
    await run.forAll(
      {
        timeout: fc.integer({ min: maxSeconds + 1, max: 10 * maxSeconds }),
        place: fc.constantFrom(...positions),
        way: fc.constantFrom(...ways),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
        isDisabling: fc.boolean(),
      },
      async ({ timeout, place, way, enabled, id, isDisabling }) => {
        const trigger = withId(id, { ...httpAsync(`/${REFUSED}`, { timeout }), enabled });
        return status(
          await put(run, subject, specWith(insertTrigger(trigger, place), isDisabling), refusedMetadata, way),
          400,
        );
      },
      {
        runs: scaleRuns(run, REFUSED_RUNS),
        examples: rotateVariants(
          ways,
          excess.flatMap((more, index) =>
            positions.map((place, at) => ({
              timeout: maxSeconds + more,
              place,
              enabled: true,
              id: idAt(index + at),
              isDisabling: at % 2 === 0,
            })),
          ),
        ),
      },
    );
    run.check(await checkLastRefusal(run, subject, httpAsync(`/${REFUSED}`, { timeout: maxSeconds + 1 })));
    run.check(await checkUnchanged(run, before));
  });
});

conforms('agents.triggers.timeout-mk3-only', async (run) => {
  await withSubject(run, 'mk2', async (subject) => {
    for (const place of positions) {
      needTriggersReturned(
        run,
        await needAccepted(
          run,
          subject,
          { triggers: insertTrigger(withId(BASELINE_ID, httpAsync('/assay/timed')), place) },
          'an async trigger',
        ),
      );
    }
    await run.forAll(
      {
        timeout: fc.integer({ min: 1, max: 900 }),
        place: fc.constantFrom(...positions),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
      },
      async ({ timeout, place, enabled, id }) => {
        const trigger = withId(id, { ...httpAsync('/assay/timed', { timeout }), enabled });
        return timeoutMismatches(await put(run, subject, { triggers: insertTrigger(trigger, place) }));
      },
      {
        runs: Math.min(run.runs, 2 * ACCEPTED_RUNS),
        examples: [1, 30, 899, 900].flatMap((timeout, index) =>
          positions.map((place, at) => ({ timeout, place, enabled: true, id: idAt(index + at) })),
        ),
      },
    );
    if (await mayOmitRuntime(run, subject)) run.check(...(await timeoutWithoutRuntimeMismatches(run, subject)));
  });
});

/** Positions at which an update without `runtime` is accepted and keeps the agent on mk2. */
async function timeoutWithoutRuntimeMismatches(run: Run, subject: Subject): Promise<Mismatch[][]> {
  const send = (configuration: object, place: readonly [number, number]) =>
    putWithoutRuntime(run, subject, { triggers: insertTrigger(httpAsync('/assay/timed', configuration), place) });
  const found = [];
  for (const place of positions) {
    if (!showsMk2(await send({}, place))) continue;
    const exchange = await send({ timeout: 30 }, place);
    if (!isSuccessful(exchange) || showsMk2(exchange)) found.push(timeoutMismatches(exchange));
  }
  return found;
}

/** Throws NotTried if the response has no triggers. */
const needTriggersReturned = (run: Run, exchange: Exchange): unknown =>
  run.need(triggersIn(exchange).length, 'an agent whose response contains its triggers');

/** 400, or a success that does not return the field. */
function timeoutMismatches(exchange: Exchange): Mismatch[] {
  if (!isSuccessful(exchange)) return status(exchange, 400);
  const timeouts = triggersIn(exchange).map(({ configuration }) => configuration?.['timeout']);
  const returned = timeouts.filter((timeout) => !isLeftOut(timeout));
  const expected = 'status 400, or no timeout in any trigger of an mk2 agent';
  return returned.length === 0 ? [] : [{ expected, actual: `timeout ${JSON.stringify(returned[0])}`, exchange }];
}

conforms('agents.triggers.schedule-five-fields', async (run) => {
  await withEachSubject(run, async (subject) => {
    await run.forAll(
      { schedule: cronExpression, place: fc.constantFrom(...positions) },
      async ({ schedule, place }) =>
        status(await put(run, subject, { triggers: insertTrigger(cron(schedule), place) }), 200),
      {
        runs: Math.min(run.runs, ACCEPTED_RUNS),
        examples: cronExpressions.map((schedule, index) => ({ schedule, place: positionAt(index) })),
      },
    );
    const ways = await waysToUpdate(run, subject);
    const before = await baselineWith(run, subject, cron('0 9 * * 1'));
    await run.forAll(
      {
        schedule: otherFieldCount,
        place: fc.constantFrom(...positions),
        way: fc.constantFrom(...ways),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
        isDisabling: fc.boolean(),
      },
      async ({ schedule, place, way, enabled, id, isDisabling }) => {
        const trigger = withId(id, { ...cron(schedule), enabled });
        return status(
          await put(run, subject, specWith(insertTrigger(trigger, place), isDisabling), refusedMetadata, way),
          400,
        );
      },
      {
        runs: scaleRuns(run, REFUSED_RUNS),
        examples: rotateVariants(
          ways,
          otherFieldCounts.map((schedule, index) => ({
            schedule,
            place: positionAt(index),
            enabled: true,
            id: idAt(index),
            isDisabling: index % 2 === 0,
          })),
        ),
      },
    );
    run.check(await checkLastRefusal(run, subject, cron('0 9 *')));
    run.check(await checkUnchanged(run, before));
  });
});

conforms('agents.triggers.callback-secret-is-the-servers', async (run) => {
  await withEachSubject(run, async (subject) => {
    needTriggersReturned(run, await needAccepted(run, subject, { triggers: validTriggers }, 'triggers of every type'));
    run.check(await chosenSecretMismatches(run, subject));
    const readable = await isReadable(run, subject);
    await run.forAll(
      { triggers: fc.array(triggerDraw, { minLength: 1, maxLength: 4 }), times: fc.constantFrom(1, 2) },
      async ({ triggers, times }) => {
        const list = triggers.map(triggerFrom);
        const exchanges = [];
        for (let time = 0; time < times; time += 1) exchanges.push(await put(run, subject, { triggers: list }));
        const isSent = triggers.some(({ sendsSecret: sent }) => sent);
        const found = exchanges.flatMap((exchange) => serverSecretMismatches(exchange, isSent));
        return readable ? [...found, ...clientSecretMismatches(await read(run, subject))] : found;
      },
      { runs: Math.min(run.runs, 2 * ACCEPTED_RUNS) },
    );
  });
});

/** A client must not choose the secret, even in the server's format. */
async function chosenSecretMismatches(run: Run, subject: Subject): Promise<Mismatch[]> {
  const secret = secretOfSameFormat(await put(run, subject, { triggers: [hasCallbackUrl] }));
  return secret === undefined
    ? []
    : acceptedSecretMismatches(
        await put(run, subject, { triggers: [withCallbackSecret(hasCallbackUrl, secret)] }),
        secret,
      );
}
