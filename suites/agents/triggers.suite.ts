/** agents.triggers.*: types, ids, schedules and callback secrets. */
import { checkTasksReturned, judgeTasks, sampleTasks } from './trigger-tasks.ts';
import { hasOddSchedule, isUnknownType } from './seen-triggers.ts';
import { judges, judgesInOrder, refuses } from '../judge/judgement.ts';
import { sentTriggers } from '../kit/agents/seen-update.ts';
import { isAboutSomethingElse } from '../kit/resources/seen-resource.ts';
import { distinctIds, generatedIdMismatches, judgeIds } from './trigger-ids.ts';
import { checkTimeoutAtMost900, checkTimeoutMk3Only, hasLongTimeout, judgeTimeoutOnMk2 } from './trigger-timeouts.ts';
import {
  sentIds,
  idAt,
  withId,
  baselineWith,
  specWith,
  needTriggersReturned,
  visibleRefusal,
} from './trigger-updates.ts';
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, status } from '../expect/status.ts';
import { acceptedPositions, commonAmounts } from './accepted-amounts.ts';
import {
  cronExpression,
  cronExpressions,
  similarSchedules,
  otherFieldCount,
  otherFieldCounts,
} from '../generators/cron-expression.ts';
import { triggerTypes } from '../kit/generators/agent-body.ts';
import type { TriggerType } from '../kit/generators/agent-body.ts';
import { nearTriggerTypes, unknownWord } from '../generators/unknown-word.ts';
import { isSuccessful } from '../target/eventually.ts';
import { sampleSchedule } from '../kit/provision/samples.ts';
import type { Exchange } from '../target/client.ts';
import {
  refusedText,
  bodyOf,
  isReadable,
  judged,
  needAcceptedOnce,
  put,
  putValid,
  readAgent,
  refusedMetadata,
  sendUpdate,
} from '../kit/agents/test-agent.ts';
import type { Put, TestAgent } from '../kit/agents/test-agent.ts';
import { withRefusedUpdates } from '../kit/agents/each-update-refused.ts';
import { eachTestAgent, rotateAgents, withTestAgents } from '../kit/agents/test-agents.ts';
import type { TestAgents } from '../kit/agents/test-agents.ts';
import {
  triggerFrom,
  acceptedSecretMismatches,
  clientSecretMismatches,
  lacksSecret,
  serverSecretMismatches,
  secretOfSameFormat,
  withCallbackSecret,
  withCallbackUrl,
  triggerDraw,
  secretExamples,
  judgeSecrets,
} from './callback-secrets.ts';
import { cron, http, insertTrigger, positionAt, validTriggers } from './triggers.ts';
import type { Position, Trigger } from './triggers.ts';

judges('agents.triggers.accepted-tasks-returned', 'updateAgent', judgeTasks);
refuses('agents.triggers.type-known', 'updateAgent', {
  isFlawed: (seen) => sentTriggers(seen).some(({ type }) => isUnknownType(type)),
  status: 400,
  unless: isAboutSomethingElse,
});
judges('agents.triggers.ids-distinct', 'updateAgent', judgeIds);
refuses('agents.triggers.timeout-at-most-900', 'updateAgent', {
  isFlawed: hasLongTimeout,
  status: 400,
  unless: isAboutSomethingElse,
});
judges('agents.triggers.timeout-mk3-only', 'updateAgent', judgeTimeoutOnMk2);
refuses('agents.triggers.schedule-five-fields', 'updateAgent', {
  isFlawed: (seen) => sentTriggers(seen).some(hasOddSchedule),
  status: 400,
  unless: isAboutSomethingElse,
});
judgesInOrder('agents.triggers.callback-secret-is-the-servers', 'updateAgent', judgeSecrets);

conforms('agents.triggers.accepted-tasks-returned', checkTasksReturned);

conforms('agents.triggers.type-known', async (run) => {
  const agents = await eachTestAgent(run);
  const positions = await acceptedPositions(run, agents);
  const baseline = baselineWith(http('/assay/known'));
  const unknown = { type: 'assay', configuration: { path: `/${refusedText(run)}` } };
  const last = (testAgent: TestAgent) => visibleRefusal(run, testAgent, unknown);
  await withRefusedUpdates(run, agents, { baseline, last }, async ({ check }) => {
    await check({
      inputs: {
        type: unknownWord(run.rule.values.types),
        place: fc.constantFrom(...positions),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds(run)),
        isDisabling: fc.boolean(),
        configuration: fc.constantFrom<object[]>({ path: `/${refusedText(run)}` }, { schedule: sampleSchedule(run) }),
      },
      examples: nearTriggerTypes.map((type, index) => ({
        type,
        place: positionAt(index, positions),
        enabled: index % 5 !== 4,
        id: idAt(run, index),
        isDisabling: index % 2 === 0,
        configuration: { path: `/${refusedText(run)}` } as object,
      })),
      async refusal(testAgent, { type, place, enabled, id, isDisabling, configuration }, variant) {
        const trigger = withId(id, { type, enabled, configuration });
        const spec = specWith(insertTrigger(run, trigger, place), isDisabling);
        return status(await put(run, testAgent, spec, refusedMetadata(run), variant), 400);
      },
    });
  });
});

conforms('agents.triggers.ids-distinct', async (run) => {
  const id = fc.constantFrom('a', 'b', 'a-1', 'a-2', 'a-3', 'a1', 'a-a', 'trigger-1');
  const type = fc.constantFrom(...triggerTypes);
  const trigger: fc.Arbitrary<Identified> = fc.record({ type, id, enabled: fc.boolean() }, { requiredKeys: ['type'] });
  const none: Identified = { type: 'http' };
  const a: Identified = { type: 'http', id: 'a' };
  await withTestAgents(run, async (agents) => {
    const amounts = await commonAmounts(run, agents.all);
    const isOfEachType = amounts.triggers < 2 && (await acceptTwoTypes(run, agents.all, amounts.types));
    const maxCount = isOfEachType ? 2 : amounts.triggers;
    const fits = (triggers: readonly Identified[]): boolean =>
      triggers.length <= maxCount &&
      triggers.every((each) => amounts.types.includes(each.type)) &&
      (!isOfEachType || new Set(triggers.map((each) => each.type)).size === triggers.length);
    const hasTwo = isOfEachType || fits([none, none]);
    for (const each of hasTwo ? [] : agents.all)
      await needAcceptedOnce(run, each, {}, `an update with nothing but its generation ${each.generation}`);
    run.need(hasTwo, 'an agent that accepts two triggers');
    const pairs = isOfEachType ? pairsOf(amounts.types).flatMap((pair) => [pair, pair.map(withA)]) : [];
    const [first = none, second = none] = pairs[0] ?? [];
    const withoutIds = [configured(run, first, 0), configured(run, second, 1)] as const;
    await run.forEach(agents.generations, (agent) => generatedIdMismatches(run, agents.of(agent), withoutIds));
    const examples: Identified[][] = [
      ...pairs,
      [a, a],
      [none, none, none],
      [a, a, { ...a, id: 'a-2' }, { ...a, id: 'a-1' }],
      [a, { ...a, type: 'cron' }, { ...a, type: 'http-async' }],
      [none],
      [a, a, a, a],
      [{ ...a, id: 'a-2' }, a, a, none],
      [a, none, a, none],
      [
        { ...a, enabled: false },
        { ...a, enabled: false },
        { ...none, enabled: false },
      ],
      [
        { ...a, id: '' },
        { ...none, id: '' },
      ],
    ];
    await run.forAll(
      {
        triggers: fc.array(trigger, { minLength: 1, maxLength: Math.min(6, maxCount) }).filter(fits),
        agent: fc.constantFrom(...agents.generations),
      },
      async ({ triggers, agent }) => {
        const sent = await putValid(run, agents.of(agent), {
          triggers: triggers.map((each, index) => configured(run, each, index)),
        });
        const hasEmpty = triggers.some(({ id: each }) => each === '');
        // An empty id may count as an id or as none, or be refused.
        if (hasEmpty && isRefused(sent.exchange)) return [];
        return judged(run, sent, (exchange) =>
          exchange.response.status === 200
            ? distinctIds(exchange, triggers.length, hasEmpty ? 1 : 0)
            : status(exchange, 200),
        );
      },
      {
        examples: rotateAgents(
          agents.all,
          examples.filter(fits).map((triggers) => ({ triggers })),
        ),
      },
    );
  });
});

const pairsOf = (types: readonly TriggerType[]): Identified[][] =>
  types.flatMap((type, at) => types.slice(at + 1).map((other) => [{ type }, { type: other }]));
const withA = (trigger: Identified): Identified => ({ ...trigger, id: 'a' });

/** Whether each agent accepts two triggers of different types. */
async function acceptTwoTypes(run: Run, agents: readonly TestAgent[], types: readonly TriggerType[]): Promise<boolean> {
  const triggers = types.slice(0, 2).map((type, index) => configured(run, { type }, index));
  if (triggers.length < 2) return false;
  for (const testAgent of agents)
    if (!isSuccessful((await putValid(run, testAgent, { triggers })).exchange)) return false;
  return true;
}

interface Identified {
  readonly type: TriggerType;
  readonly id?: string;
  readonly enabled?: boolean;
}

function configured(run: Run, trigger: Identified, index: number): object {
  const configuration = trigger.type === 'cron' ? { schedule: sampleSchedule(run) } : { path: `/assay/${index}` };
  return { ...trigger, configuration };
}

conforms('agents.triggers.schedule-five-fields', async (run) => {
  await withTestAgents(run, async (agents) => {
    const positions = await acceptedPositions(run, agents.all);
    const accepting: TestAgent[] = [];
    for (const testAgent of agents.all) {
      await needSchedule(run, testAgent, sampleSchedule(run));
      if (await acceptsMadeUpSchedule(run, testAgent)) accepting.push(testAgent);
    }
    if (accepting.length > 0) await checkValidSchedules(run, agents, accepting, positions);
  });
  const agents = await eachTestAgent(run);
  const positions = await acceptedPositions(run, agents);
  const baseline = baselineWith(cron(sampleSchedule(run)));
  const last = (testAgent: TestAgent) => visibleRefusal(run, testAgent, cron('0 9 *'));
  const tasks = sampleTasks(run);
  const [first = '', ...others] = otherFieldCounts;
  const invalid = [
    { schedule: first },
    { schedule: first, tasks },
    ...others.map((schedule, index) => ({ schedule, ...(index % 4 === 3 && { tasks }) })),
  ];
  await withRefusedUpdates(run, agents, { baseline, last }, async ({ check }) => {
    await check({
      inputs: {
        configuration: fc.record(
          { schedule: otherFieldCount, tasks: fc.constant(tasks) },
          { requiredKeys: ['schedule'] },
        ),
        place: fc.constantFrom(...positions),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds(run)),
        isDisabling: fc.boolean(),
      },
      examples: invalid.map((configuration, index) => ({
        configuration,
        place: positionAt(index, positions),
        enabled: true,
        id: idAt(run, index),
        isDisabling: index % 2 === 0,
      })),
      async refusal(testAgent, { configuration, place, enabled, id, isDisabling }, variant) {
        const trigger = withId(id, { type: 'cron', configuration, enabled });
        const spec = specWith(insertTrigger(run, trigger, place), isDisabling);
        return status(await put(run, testAgent, spec, refusedMetadata(run), variant), 400);
      },
    });
  });
});

/** A target whose file has a sample may refuse other schedules because of its plan. */
const acceptsMadeUpSchedule = async (run: Run, testAgent: TestAgent): Promise<boolean> =>
  run.target.samples.schedule === undefined || isSuccessful(await putSchedule(run, testAgent, '0 9 * * 1', [0, 0]));

/** The schedule is judged, so that only other values may be replaced. */
function putSchedule(run: Run, testAgent: TestAgent, schedule: string, place: Position): Promise<Exchange> {
  const { metadata, spec } = bodyOf(run, testAgent, { triggers: insertTrigger(run, cron(schedule), place) });
  const triggers = (spec['triggers'] as Trigger[]).map((trigger, index) =>
    index === place[0] ? { ...trigger, configuration: { ...trigger.configuration, schedule } } : trigger,
  );
  return sendUpdate(run, testAgent, { metadata, spec: { ...spec, triggers } });
}

const needSchedule = (run: Run, testAgent: TestAgent, schedule: string): Promise<Exchange> =>
  needAcceptedOnce(run, testAgent, { triggers: [cron(schedule)] }, 'a schedule of five fields');

async function checkValidSchedules(
  run: Run,
  agents: TestAgents,
  accepting: readonly TestAgent[],
  positions: readonly Position[],
): Promise<void> {
  await run.forAll(
    {
      schedule: cronExpression,
      place: fc.constantFrom(...positions),
      agent: fc.constantFrom(...accepting.map(({ generation }) => generation)),
    },
    async ({ schedule, place, agent }) => {
      const testAgent = agents.of(agent);
      const exchange = await putSchedule(run, testAgent, schedule, place);
      if (!isRefused(exchange)) return status(exchange, 200);
      // The target may allow only some schedules, but of those in every form.
      for (const similar of similarSchedules(schedule)) {
        const accepted = await putSchedule(run, testAgent, similar, place);
        if (isSuccessful(accepted)) return status(exchange, 200).map((found) => ({ ...found, before: [accepted] }));
      }
      return run.skipInput(
        `a schedule that is accepted (refused: "${schedule}"): set samples.schedule in the target file`,
      );
    },
    {
      examples: rotateAgents(
        accepting,
        [...cronExpressions, '0 8-18/2 * * 1-5'].map((schedule, index) => ({
          schedule,
          place: positionAt(index, positions),
        })),
      ),
    },
  );
}

conforms('agents.triggers.callback-secret-is-the-servers', async (run) => {
  await withTestAgents(run, async (agents) => {
    for (const testAgent of agents.all)
      needTriggersReturned(
        run,
        await needAcceptedOnce(run, testAgent, { triggers: validTriggers(run) }, 'triggers of every type'),
      );
    await run.forEach(agents.generations, (agent) => chosenSecretMismatches(run, agents.of(agent)));
    await run.forAll(
      {
        triggers: fc.array(triggerDraw, { minLength: 1, maxLength: 4 }),
        times: fc.constantFrom<number[]>(1, 2),
        agent: fc.constantFrom(...agents.generations),
      },
      async ({ triggers, times, agent }) => {
        const testAgent = agents.of(agent);
        const isSent = triggers.some(({ sendsSecret: sent }) => sent);
        const send = async (mark?: string): Promise<Omit<Put, 'body'>> => {
          const spec = { triggers: triggers.map((each, index) => triggerFrom(run, each, index, mark)) };
          return isSent ? { exchange: await put(run, testAgent, spec) } : putValid(run, testAgent, spec);
        };
        const found: Mismatch[] = [];
        for (let time = 0; time < times; time += 1) {
          const sent = await send();
          // A server may return a secret only when the trigger is created.
          const isMissing = lacksSecret(sent.exchange);
          if (isMissing) found.push(...clientSecretMismatches(run, sent.exchange));
          const created = isMissing ? await send(`-${run.newName()}`) : sent;
          found.push(...judged(run, created, (exchange) => serverSecretMismatches(run, exchange, isSent)));
        }
        const readable = await isReadable(run, testAgent);
        return readable ? [...found, ...clientSecretMismatches(run, await readAgent(run, testAgent))] : found;
      },
      {
        examples: rotateAgents(
          agents.all,
          secretExamples.map((triggers, index) => ({ triggers: [...triggers], times: 1 + (index % 2) })),
        ),
      },
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
