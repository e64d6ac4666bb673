/** How many triggers and variables a target accepts, and of which types: its plan may limit them, and it may verify callbacks. */
import type { Run } from '../engine/conforms.ts';
import { sharedValues } from '../engine/shared-values.ts';
import { allAmounts, triggerTypes } from '../kit/generators/agent-body.ts';
import type { Amounts, TriggerType } from '../kit/generators/agent-body.ts';
import { kindOf, putValid, restore } from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { isSuccessful } from '../target/eventually.ts';
import { sampleSchedule } from '../kit/provision/samples.ts';
import { cron, http, httpAsync, insertTrigger, allPositions, validTriggers } from './triggers.ts';
import type { Position, Trigger } from './triggers.ts';

const amountsOfRun = sharedValues<Amounts>();

/** Two updates if the target accepts the largest amounts; otherwise each type and fewer of them. Leaves the agent plain. */
export function acceptedAmounts(run: Run, testAgent: TestAgent): Promise<Amounts> {
  const accepts = async (spec: Spec): Promise<boolean> => isSuccessful((await putValid(run, testAgent, spec)).exchange);
  return amountsOfRun.get(run, kindOf(run, testAgent), async () => {
    const amounts = await largestAmounts(run, accepts);
    await restore(run, testAgent);
    return { ...amounts, envs: Math.min(amounts.envs, knownVariables(run)) };
  });
}

/** Without further samples, further variables would not be sent. */
const knownVariables = ({ target: { samples } }: Run): number =>
  samples.variables === undefined ? Infinity : Object.keys(samples.variables).length;

async function largestAmounts(run: Run, accepts: (spec: Spec) => Promise<boolean>): Promise<Amounts> {
  const all = {
    triggers: insertTrigger(run, http('/assay/last'), [allAmounts.triggers - 1, 0]),
    ...envs(allAmounts.envs),
  };
  const values = await acceptedValues(run, accepts);
  if (await accepts(all)) return { ...allAmounts, ...values };
  const types: TriggerType[] = [];
  for (const type of triggerTypes)
    if (await accepts({ triggers: [example(run, type, '/assay/only')] })) types.push(type);
  const [type] = types;
  return {
    ...values,
    types,
    triggers:
      type === undefined
        ? 0
        : await largest([8, 7, 4, 3, 2], (count) =>
            accepts({ triggers: several(count, (path) => example(run, type, path)) }),
          ),
    envs: await largest([12, 9, 4, 3, 2], (count) => accepts(envs(count))),
  };
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
