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
  known,
  needAccepted,
  put,
  read,
  refused,
  stays,
  waysToUpdate,
  withEachSubject,
  withSubject,
} from '../kit/agents/subject.ts';
import type { Known, Spec, Subject } from '../kit/agents/subject.ts';
import {
  called,
  configuredWithSecret,
  notTaken,
  notTheClients,
  ownSecrets,
  secretOfTheSameForm,
  sending,
  withSecret,
} from './callback-secrets.ts';
import { cron, http, inPlace, later, placeAt, places, sound, triggersIn } from './triggers.ts';
import type { Trigger } from './triggers.ts';
import { mayLeaveOut, putWithoutRuntime, showsMk2 } from '../kit/agents/without-runtime.ts';

const ACCEPTED_RUNS = 25;
/** Of 100, besides the near misses. */
const REFUSED_RUNS = 60;

/** Of a trigger that the agent has while updates of it are refused. */
const KNOWN_ID = 'assay-known';

/** With which a trigger of such an update comes: none, another one, that of the trigger that the agent has. */
const sentIds = [undefined, REFUSED, KNOWN_ID] as const;
const idAt = (index: number) => sentIds[index % sentIds.length];

/** Left out where it is undefined. */
const identified = (id: string | undefined, trigger: object): object =>
  id === undefined ? trigger : { id, ...trigger };

const knownWith = (run: Run, subject: Subject, trigger: Trigger): Promise<Known> =>
  known(run, subject, { triggers: [identified(KNOWN_ID, trigger)] });

/** What is wrong with them is in a trigger; half of them would disable the agent as well. */
const specOf = (triggers: readonly object[], disables: boolean): Spec => ({
  triggers,
  ...(disables && { enabled: false }),
});

/** Whatever the updates before have left behind, this one would show. */
const lastRefused = async (run: Run, subject: Subject, trigger: Trigger): Promise<Mismatch[]> =>
  status(await put(run, subject, specOf([identified(REFUSED, trigger)], true), refused), 400);

conforms('agents.triggers.type-known', async (run) => {
  await withEachSubject(run, async (subject) => {
    await needAccepted(run, subject, { triggers: sound }, 'triggers of every type');
    const ways = await waysToUpdate(run, subject);
    const before = await knownWith(run, subject, http('/assay/known'));
    await run.forAll(
      {
        type: unknownWord(run.rule.values.types),
        place: fc.constantFrom(...places),
        way: fc.constantFrom(...ways),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
        disables: fc.boolean(),
        configuration: fc.constantFrom<object[]>({ path: `/${REFUSED}` }, { schedule: '0 9 * * 1' }),
      },
      async ({ place, way, id, disables, ...trigger }) => {
        const spec = specOf(inPlace(identified(id, trigger), place), disables);
        return status(await put(run, subject, spec, refused, way), 400);
      },
      {
        runs: scaleRuns(run, REFUSED_RUNS),
        examples: rotateVariants(
          ways,
          nearTriggerTypes.map((type, index) => ({
            type,
            place: placeAt(index),
            enabled: true,
            id: idAt(index),
            disables: index % 2 === 0,
            configuration: { path: `/${REFUSED}` },
          })),
        ),
      },
    );
    run.check(await lastRefused(run, subject, { type: 'assay', configuration: { path: `/${REFUSED}` } }));
    run.check(await stays(run, before));
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
        return exchange.answer.status === 200 ? distinctIds(exchange, triggers.length) : status(exchange, 200);
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
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...(ids.length === sent ? [] : [{ expected: `${sent} triggers`, actual: `${ids.length} triggers`, exchange }]),
    ...(missing === 0 ? [] : [{ expected: 'an id in every trigger', actual: `none in ${missing}`, exchange }]),
    ...(twice.length === 0 ? [] : [{ expected: 'ids all distinct', actual: `twice: ${twice.join(', ')}`, exchange }]),
  ];
}

conforms('agents.triggers.timeout-at-most-900', async (run) => {
  const { maxSeconds } = run.rule.values;
  const timed = (timeout: number, place: readonly [number, number]): Spec => ({
    triggers: inPlace(later('/assay/timed', { timeout }), place),
  });
  await withSubject(run, 'mk3', async (subject) => {
    await run.forAll(
      { timeout: fc.integer({ min: 1, max: maxSeconds }), place: fc.constantFrom(...places) },
      async ({ timeout, place }) => status(await put(run, subject, timed(timeout, place)), 200),
      {
        runs: Math.min(run.runs, ACCEPTED_RUNS),
        examples: [1, 60, maxSeconds - 1, maxSeconds].flatMap((timeout) => places.map((place) => ({ timeout, place }))),
      },
    );
    const ways = await waysToUpdate(run, subject);
    const before = await knownWith(run, subject, later('/assay/known'));
    const beyond = [1, 2, 10, 99, 100, 900, 2700, 86_400, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1];
    await run.forAll(
      {
        timeout: fc.integer({ min: maxSeconds + 1, max: 10 * maxSeconds }),
        place: fc.constantFrom(...places),
        way: fc.constantFrom(...ways),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
        disables: fc.boolean(),
      },
      async ({ timeout, place, way, enabled, id, disables }) => {
        const trigger = identified(id, { ...later(`/${REFUSED}`, { timeout }), enabled });
        return status(await put(run, subject, specOf(inPlace(trigger, place), disables), refused, way), 400);
      },
      {
        runs: scaleRuns(run, REFUSED_RUNS),
        examples: rotateVariants(
          ways,
          beyond.flatMap((more, index) =>
            places.map((place, at) => ({
              timeout: maxSeconds + more,
              place,
              enabled: true,
              id: idAt(index + at),
              disables: at % 2 === 0,
            })),
          ),
        ),
      },
    );
    run.check(await lastRefused(run, subject, later(`/${REFUSED}`, { timeout: maxSeconds + 1 })));
    run.check(await stays(run, before));
  });
});

conforms('agents.triggers.timeout-mk3-only', async (run) => {
  await withSubject(run, 'mk2', async (subject) => {
    for (const place of places) {
      needShown(
        run,
        await needAccepted(
          run,
          subject,
          { triggers: inPlace(identified(KNOWN_ID, later('/assay/timed')), place) },
          'an async trigger',
        ),
      );
    }
    await run.forAll(
      {
        timeout: fc.integer({ min: 1, max: 900 }),
        place: fc.constantFrom(...places),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
      },
      async ({ timeout, place, enabled, id }) => {
        const trigger = identified(id, { ...later('/assay/timed', { timeout }), enabled });
        return hasNoTimeout(await put(run, subject, { triggers: inPlace(trigger, place) }));
      },
      {
        runs: Math.min(run.runs, 2 * ACCEPTED_RUNS),
        examples: [1, 30, 899, 900].flatMap((timeout, index) =>
          places.map((place, at) => ({ timeout, place, enabled: true, id: idAt(index + at) })),
        ),
      },
    );
    if (await mayLeaveOut(run, subject)) run.check(...(await timedWithoutRuntime(run, subject)));
  });
});

/** Where the same is accepted without a timeout, of an agent that is of mk2 still. */
async function timedWithoutRuntime(run: Run, subject: Subject): Promise<Mismatch[][]> {
  const send = (configuration: object, place: readonly [number, number]) =>
    putWithoutRuntime(run, subject, { triggers: inPlace(later('/assay/timed', configuration), place) });
  const found = [];
  for (const place of places) {
    if (!showsMk2(await send({}, place))) continue;
    const exchange = await send({ timeout: 30 }, place);
    if (!isSuccessful(exchange) || showsMk2(exchange)) found.push(hasNoTimeout(exchange));
  }
  return found;
}

/** What an answer without any trigger leaves out says nothing. */
const needShown = (run: Run, exchange: Exchange): unknown =>
  run.need(triggersIn(exchange).length, 'an agent whose answer shows its triggers');

/** 400, or a success that does not return the field. */
function hasNoTimeout(exchange: Exchange): Mismatch[] {
  if (!isSuccessful(exchange)) return status(exchange, 400);
  const shown = triggersIn(exchange).map(({ configuration }) => configuration?.['timeout']);
  const returned = shown.filter((timeout) => !isLeftOut(timeout));
  const expected = 'status 400, or no timeout in any trigger of an agent of generation mk2';
  return returned.length === 0 ? [] : [{ expected, actual: `timeout ${JSON.stringify(returned[0])}`, exchange }];
}

conforms('agents.triggers.schedule-five-fields', async (run) => {
  await withEachSubject(run, async (subject) => {
    await run.forAll(
      { schedule: cronExpression, place: fc.constantFrom(...places) },
      async ({ schedule, place }) => status(await put(run, subject, { triggers: inPlace(cron(schedule), place) }), 200),
      {
        runs: Math.min(run.runs, ACCEPTED_RUNS),
        examples: cronExpressions.map((schedule, index) => ({ schedule, place: placeAt(index) })),
      },
    );
    const ways = await waysToUpdate(run, subject);
    const before = await knownWith(run, subject, cron('0 9 * * 1'));
    await run.forAll(
      {
        schedule: otherFieldCount,
        place: fc.constantFrom(...places),
        way: fc.constantFrom(...ways),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
        disables: fc.boolean(),
      },
      async ({ schedule, place, way, enabled, id, disables }) => {
        const trigger = identified(id, { ...cron(schedule), enabled });
        return status(await put(run, subject, specOf(inPlace(trigger, place), disables), refused, way), 400);
      },
      {
        runs: scaleRuns(run, REFUSED_RUNS),
        examples: rotateVariants(
          ways,
          otherFieldCounts.map((schedule, index) => ({
            schedule,
            place: placeAt(index),
            enabled: true,
            id: idAt(index),
            disables: index % 2 === 0,
          })),
        ),
      },
    );
    run.check(await lastRefused(run, subject, cron('0 9 *')));
    run.check(await stays(run, before));
  });
});

conforms('agents.triggers.callback-secret-is-the-servers', async (run) => {
  await withEachSubject(run, async (subject) => {
    needShown(run, await needAccepted(run, subject, { triggers: sound }, 'triggers of every type'));
    run.check(await takesNoneOfItsForm(run, subject));
    const readable = await isReadable(run, subject);
    await run.forAll(
      { triggers: fc.array(withSecret, { minLength: 1, maxLength: 4 }), times: fc.constantFrom(1, 2) },
      async ({ triggers, times }) => {
        const list = triggers.map(configuredWithSecret);
        const exchanges = [];
        for (let time = 0; time < times; time += 1) exchanges.push(await put(run, subject, { triggers: list }));
        const isSent = triggers.some(({ sent }) => sent);
        const found = exchanges.flatMap((exchange) => ownSecrets(exchange, isSent));
        return readable ? [...found, ...notTheClients(await read(run, subject))] : found;
      },
      { runs: Math.min(run.runs, 2 * ACCEPTED_RUNS) },
    );
  });
});

/** Whoever knows the form of a secret does not choose it. */
async function takesNoneOfItsForm(run: Run, subject: Subject): Promise<Mismatch[]> {
  const secret = secretOfTheSameForm(await put(run, subject, { triggers: [called] }));
  return secret === undefined ? [] : notTaken(await put(run, subject, { triggers: [sending(called, secret)] }), secret);
}
