/** agents.triggers.*: types, ids, schedules and callback secrets. */
import { checkTasksReturned } from './trigger-tasks.ts';
import { checkTimeoutAtMost900, checkTimeoutMk3Only } from './trigger-timeouts.ts';
import {
  ACCEPTED_RUNS,
  REFUSED_RUNS,
  sentIds,
  idAt,
  withId,
  baselineWith,
  specWith,
  checkLastRefusal,
  needTriggersReturned,
} from './trigger-updates.ts';
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, status } from '../expect/status.ts';
import { acceptedAmounts, acceptedPositions } from './accepted-amounts.ts';
import {
  cronExpression,
  cronExpressions,
  isFrequent,
  otherFieldCount,
  otherFieldCounts,
} from '../generators/cron-expression.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { triggerTypes } from '../kit/generators/agent-body.ts';
import type { TriggerType } from '../kit/generators/agent-body.ts';
import { nearTriggerTypes, unknownWord } from '../generators/unknown-word.ts';
import { rotateVariants } from '../kit/provision/caller-variants.ts';
import { sampleSchedule } from '../kit/provision/samples.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';
import {
  REFUSED,
  isReadable,
  needAccepted,
  put,
  readAgent,
  refusedMetadata,
  checkUnchanged,
  acceptedUpdateVariants,
  withEachTestAgent,
} from '../kit/agents/test-agent.ts';
import type { TestAgent } from '../kit/agents/test-agent.ts';
import {
  triggerFrom,
  acceptedSecretMismatches,
  clientSecretMismatches,
  serverSecretMismatches,
  secretOfSameFormat,
  withCallbackSecret,
  withCallbackUrl,
  triggerDraw,
} from './callback-secrets.ts';
import { cron, http, insertTrigger, positionAt, validTriggers, triggersIn } from './triggers.ts';
import type { Position } from './triggers.ts';

conforms('agents.triggers.accepted-tasks-returned', checkTasksReturned);

conforms('agents.triggers.type-known', async (run) => {
  await withEachTestAgent(run, async (testAgent) => {
    const positions = await acceptedPositions(run, testAgent);
    const variants = await acceptedUpdateVariants(run, testAgent);
    const before = await baselineWith(run, testAgent, http('/assay/known'));
    await run.forAll(
      {
        type: unknownWord(run.rule.values.types),
        place: fc.constantFrom(...positions),
        variant: fc.constantFrom(...variants),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
        isDisabling: fc.boolean(),
        configuration: fc.constantFrom<object[]>({ path: `/${REFUSED}` }, { schedule: sampleSchedule(run) }),
      },
      async ({ place, variant, id, isDisabling, ...trigger }) => {
        const spec = specWith(insertTrigger(run, withId(id, trigger), place), isDisabling);
        return status(await put(run, testAgent, spec, refusedMetadata, variant), 400);
      },
      {
        runs: scaleRuns(run, REFUSED_RUNS),
        examples: rotateVariants(
          variants,
          nearTriggerTypes.map((type, index) => ({
            type,
            place: positionAt(index, positions),
            enabled: true,
            id: idAt(index),
            isDisabling: index % 2 === 0,
            configuration: { path: `/${REFUSED}` },
          })),
        ),
      },
    );
    run.check(await checkLastRefusal(run, testAgent, { type: 'assay', configuration: { path: `/${REFUSED}` } }));
    run.check(await checkUnchanged(run, before));
  });
});

conforms('agents.triggers.ids-distinct', async (run) => {
  const id = fc.constantFrom('a', 'b', 'a-1', 'a-2', 'a-3', 'a1', 'a-a', 'trigger-1');
  const type = fc.constantFrom(...triggerTypes);
  const trigger: fc.Arbitrary<Identified> = fc.record({ type, id, enabled: fc.boolean() }, { requiredKeys: ['type'] });
  const none: Identified = { type: 'http' };
  const a: Identified = { type: 'http', id: 'a' };
  await withEachTestAgent(run, async (testAgent) => {
    const amounts = await acceptedAmounts(run, testAgent);
    const fits = (triggers: readonly Identified[]): boolean =>
      triggers.length <= amounts.triggers && triggers.every((each) => amounts.types.includes(each.type));
    run.need(fits([none, none]), 'an agent that accepts two triggers');
    await run.forAll(
      { triggers: fc.array(trigger, { minLength: 1, maxLength: Math.min(6, amounts.triggers) }).filter(fits) },
      async ({ triggers }) => {
        const exchange = await put(run, testAgent, {
          triggers: triggers.map((each, index) => configured(run, each, index)),
        });
        return exchange.response.status === 200 ? distinctIds(exchange, triggers.length) : status(exchange, 200);
      },
      {
        runs: Math.min(run.runs, 2 * ACCEPTED_RUNS),
        examples: (
          [
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
          ] satisfies Identified[][]
        )
          .filter(fits)
          .map((triggers) => ({ triggers })),
      },
    );
  });
});

interface Identified {
  readonly type: TriggerType;
  readonly id?: string;
  readonly enabled?: boolean;
}

function configured(run: Run, trigger: Identified, index: number): object {
  const configuration = trigger.type === 'cron' ? { schedule: sampleSchedule(run) } : { path: `/assay/${index}` };
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

conforms('agents.triggers.schedule-five-fields', async (run) => {
  await withEachTestAgent(run, async (testAgent) => {
    const positions = await acceptedPositions(run, testAgent);
    await needAccepted(run, testAgent, { triggers: [cron(sampleSchedule(run))] }, 'a schedule of five fields');
    if (await acceptsMadeUpSchedule(run, testAgent)) await checkValidSchedules(run, testAgent, positions);
    const variants = await acceptedUpdateVariants(run, testAgent);
    const before = await baselineWith(run, testAgent, cron(sampleSchedule(run)));
    await run.forAll(
      {
        schedule: otherFieldCount,
        place: fc.constantFrom(...positions),
        variant: fc.constantFrom(...variants),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
        isDisabling: fc.boolean(),
      },
      async ({ schedule, place, variant, enabled, id, isDisabling }) => {
        const trigger = withId(id, { ...cron(schedule), enabled });
        return status(
          await put(
            run,
            testAgent,
            specWith(insertTrigger(run, trigger, place), isDisabling),
            refusedMetadata,
            variant,
          ),
          400,
        );
      },
      {
        runs: scaleRuns(run, REFUSED_RUNS),
        examples: rotateVariants(
          variants,
          otherFieldCounts.map((schedule, index) => ({
            schedule,
            place: positionAt(index, positions),
            enabled: true,
            id: idAt(index),
            isDisabling: index % 2 === 0,
          })),
        ),
      },
    );
    run.check(await checkLastRefusal(run, testAgent, cron('0 9 *')));
    run.check(await checkUnchanged(run, before));
  });
});

/** A target whose file has a sample may refuse other schedules because of its plan. */
const acceptsMadeUpSchedule = async (run: Run, testAgent: TestAgent): Promise<boolean> =>
  run.target.samples.schedule === undefined ||
  isSuccessful(await put(run, testAgent, { triggers: [cron('0 9 * * 1')] }));

async function checkValidSchedules(run: Run, testAgent: TestAgent, positions: readonly Position[]): Promise<void> {
  await run.forAll(
    { schedule: cronExpression, place: fc.constantFrom(...positions) },
    async ({ schedule, place }) => {
      const exchange = await put(run, testAgent, { triggers: insertTrigger(run, cron(schedule), place) });
      return isFrequent(schedule) && isRefused(exchange) ? [] : status(exchange, 200);
    },
    {
      runs: Math.min(run.runs, ACCEPTED_RUNS),
      examples: cronExpressions.map((schedule, index) => ({ schedule, place: positionAt(index, positions) })),
    },
  );
}

conforms('agents.triggers.callback-secret-is-the-servers', async (run) => {
  await withEachTestAgent(run, async (testAgent) => {
    needTriggersReturned(
      run,
      await needAccepted(run, testAgent, { triggers: validTriggers(run) }, 'triggers of every type'),
    );
    run.check(await chosenSecretMismatches(run, testAgent));
    const readable = await isReadable(run, testAgent);
    await run.forAll(
      { triggers: fc.array(triggerDraw, { minLength: 1, maxLength: 4 }), times: fc.constantFrom(1, 2) },
      async ({ triggers, times }) => {
        const list = triggers.map((each, index) => triggerFrom(run, each, index));
        const exchanges = [];
        for (let time = 0; time < times; time += 1) exchanges.push(await put(run, testAgent, { triggers: list }));
        const isSent = triggers.some(({ sendsSecret: sent }) => sent);
        const found = exchanges.flatMap((exchange) => serverSecretMismatches(exchange, isSent));
        return readable ? [...found, ...clientSecretMismatches(await readAgent(run, testAgent))] : found;
      },
      { runs: Math.min(run.runs, 2 * ACCEPTED_RUNS) },
    );
  });
});

/** A client must not choose the secret, even in the server's format. */
async function chosenSecretMismatches(run: Run, testAgent: TestAgent): Promise<Mismatch[]> {
  const trigger = withCallbackUrl(run);
  const secret = secretOfSameFormat(await put(run, testAgent, { triggers: [trigger] }));
  return secret === undefined
    ? []
    : acceptedSecretMismatches(await put(run, testAgent, { triggers: [withCallbackSecret(trigger, secret)] }), secret);
}

conforms('agents.triggers.timeout-at-most-900', checkTimeoutAtMost900);
conforms('agents.triggers.timeout-mk3-only', checkTimeoutMk3Only);
