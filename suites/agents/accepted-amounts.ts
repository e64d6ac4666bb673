/** How many triggers and variables a target accepts, and of which types: its plan may limit them, and it may verify callbacks. */
import type { Run } from '../engine/conforms.ts';
import { sharedValues } from '../engine/shared-values.ts';
import { allAmounts, triggerTypes } from '../kit/generators/agent-body.ts';
import type { Amounts, TriggerType } from '../kit/generators/agent-body.ts';
import { kindOf, putValid, restore } from '../kit/agents/test-agent.ts';
import type { Put, Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { isSuccessful } from '../target/eventually.ts';
import { sampleSchedule } from '../kit/provision/samples.ts';
import { cron, http, httpAsync, insertTrigger, allPositions, validTriggers } from './triggers.ts';
import type { Position, Trigger } from './triggers.ts';

/** A type of which the target accepts no trigger with values that the run knows or makes up. */
export interface RefusedType {
  readonly type: TriggerType;
  readonly sent: Put;
}

interface Found {
  readonly amounts: Amounts;
  readonly refused: readonly RefusedType[];
  /** A single variable, if the target refuses it. */
  readonly refusedVariable?: Put;
}

const amountsOfRun = sharedValues<Found>();

export const acceptedAmounts = async (run: Run, testAgent: TestAgent): Promise<Amounts> =>
  (await findAmounts(run, testAgent)).amounts;

/** Two updates if the target accepts the largest amounts; otherwise each type and fewer of them. Leaves the agent plain. */
export function findAmounts(run: Run, testAgent: TestAgent): Promise<Found> {
  return amountsOfRun.get(run, kindOf(run, testAgent), async () => {
    const { amounts, ...others } = await largestAmounts(run, (spec) => putValid(run, testAgent, spec));
    await restore(run, testAgent);
    return { ...others, amounts: { ...amounts, envs: Math.min(amounts.envs, knownVariables(run)) } };
  });
}

/** Without further samples, further variables would not be sent. */
const knownVariables = ({ target: { samples } }: Run): number =>
  samples.variables === undefined ? Infinity : Object.keys(samples.variables).length;

async function largestAmounts(run: Run, send: (spec: Spec) => Promise<Put>): Promise<Found> {
  const accepts = async (spec: Spec): Promise<boolean> => isSuccessful((await send(spec)).exchange);
  const all = {
    triggers: insertTrigger(run, http('/assay/last'), [allAmounts.triggers - 1, 0]),
    ...envs(allAmounts.envs),
  };
  const values = await acceptedValues(run, accepts);
  if (await accepts(all)) return { amounts: { ...allAmounts, ...values }, refused: [] };
  const refused: RefusedType[] = [];
  for (const type of triggerTypes) {
    const sent = await send({ triggers: [example(run, type, '/assay/only')] });
    if (!isSuccessful(sent.exchange)) refused.push({ type, sent });
  }
  const types = triggerTypes.filter((type) => refused.every((each) => each.type !== type));
  const [type] = types;
  const triggers =
    type === undefined
      ? 0
      : await largest([8, 7, 4, 3, 2], (count) =>
          accepts({ triggers: several(count, (path) => example(run, type, path)) }),
        );
  const variables = await largest([12, 9, 4, 3, 2], (count) => accepts(envs(count)));
  const single = variables === 1 ? await send(envs(1)) : undefined;
  const refusedVariable = single === undefined || isSuccessful(single.exchange) ? {} : { refusedVariable: single };
  return { amounts: { ...values, types, triggers, envs: variables }, refused, ...refusedVariable };
}

/** What each of the agents accepts. */
export async function commonAmounts(run: Run, agents: readonly TestAgent[]): Promise<Amounts> {
  const all: Amounts[] = [];
  for (const testAgent of agents) all.push(await acceptedAmounts(run, testAgent));
  return {
    ...all[0],
    triggers: Math.min(...all.map(({ triggers }) => triggers)),
    types: triggerTypes.filter((type) => all.every(({ types }) => types.includes(type))),
    envs: Math.min(...all.map(({ envs: count }) => count)),
  };
}

/** The samples of the target file. Without one, generated schedules are used if the target accepts the most frequent one. */
async function acceptedValues(
  run: Run,
  accepts: (spec: Spec) => Promise<boolean>,
): Promise<Pick<Amounts, 'schedule' | 'callbackUrl'>> {
  const { callbackUrl, schedule } = run.target.samples;
  const acceptsAny = schedule === undefined && (await accepts({ triggers: [cron('* * * * *')] }));
  return {
    ...(!acceptsAny && { schedule: sampleSchedule(run) }),
    ...(callbackUrl !== undefined && { callbackUrl }),
  };
}

function example(run: Run, type: TriggerType, path: string): Trigger {
  if (type === 'cron') return cron(sampleSchedule(run));
  return type === 'http' ? http(path) : httpAsync(run, path);
}

const several = (count: number, make: (path: string) => Trigger): Trigger[] =>
  Array.from({ length: count }, (_, at) => make(`/assay/${at}`));

const envs = (count: number): Spec => ({
  runtime: { envs: Array.from({ length: count }, (_, at) => ({ name: `ASSAY_${at}`, value: `value ${at}` })) },
});

/** The first accepted count; 1 if none is. */
async function largest(counts: readonly number[], accepts: (count: number) => Promise<boolean>): Promise<number> {
  for (const count of counts) if (await accepts(count)) return count;
  return 1;
}

/** The positions of a trigger among others at which each of the agents accepts it. Includes the one without others. */
export async function acceptedPositions(run: Run, agents: readonly TestAgent[]): Promise<readonly Position[]> {
  const { triggers, types } = await commonAmounts(run, agents);
  return allPositions.filter(([before, behind]) => {
    const others = validTriggers(run).slice(0, before + behind);
    return others.length < Math.max(1, triggers) && others.every(({ type }) => types.includes(type));
  });
}
