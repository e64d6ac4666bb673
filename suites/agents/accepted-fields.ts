/** Fields that an agent accepts beyond those that every target must accept: tried once per run. */
import { isDeepStrictEqual } from 'node:util';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { allSizes } from '../kit/generators/agent-body.ts';
import type { AgentParts, Fragment, Sizes, Accepted } from '../kit/generators/agent-body.ts';
import type { Generation } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { sampleCallbackUrl } from '../kit/provision/samples.ts';
import type { Exchange } from '../target/client.ts';
import { kindOf, put, putValid, restore, readAgent } from '../kit/agents/test-agent.ts';
import type { Put, Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { isSentWhole } from '../kit/agents/accepted-values.ts';
import { areDisjoint, joinSpecs } from '../kit/agents/join-specs.ts';
import { policyNames } from './policies.ts';
import { acceptedAmounts, commonAmounts } from './accepted-amounts.ts';
import { attachableVolumes, placeholders, specWithVolumes, withVolumeNames } from './volumes.ts';
import { sharedValues } from '../engine/shared-values.ts';

const acceptedParts = sharedValues<Accepted>();
const acceptedSizesCache = sharedValues<Sizes>();

/** By generation. */
export async function eachAcceptedFields(
  run: Run,
  agents: readonly TestAgent[],
): Promise<ReadonlyMap<Generation, Accepted>> {
  const accepted = new Map<Generation, Accepted>();
  for (const testAgent of agents) accepted.set(testAgent.generation, await acceptedFields(run, testAgent));
  return accepted;
}

/** What each of the agents accepts, without values of one agent. */
export async function commonFields(run: Run, agents: readonly TestAgent[]): Promise<Accepted> {
  const all = [...(await eachAcceptedFields(run, agents)).values()].map(withoutOwnValues);
  const [first] = all;
  const isIn = (list: readonly Fragment[], fragment: Fragment): boolean =>
    list.some((each) => isDeepStrictEqual(each, fragment));
  const fragments = (first?.fragments ?? []).filter((fragment) => all.every((each) => isIn(each.fragments, fragment)));
  const areTogether = (group: readonly Fragment[]): boolean =>
    all.every(({ groups = [] }) => groups.some((each) => group.every((fragment) => isIn(each, fragment))));
  const sizesOf = (field: keyof Sizes): number[] =>
    allSizes[field].filter((size) => all.every(({ sizes = allSizes }) => sizes[field].includes(size)));
  return {
    generation: 'mk2',
    mayBePublic: false,
    fragments,
    groups: groupsOf(first?.groups ?? [], (fragment) => fragments.includes(fragment)).flatMap((group) =>
      areTogether(group) ? [group] : group.map((fragment) => [fragment]),
    ),
    sizes: { memory: sizesOf('memory'), minScale: sizesOf('minScale'), maxScale: sizesOf('maxScale') },
    amounts: await commonAmounts(run, agents),
  };
}

export function acceptedFields(run: Run, testAgent: TestAgent): Promise<Accepted> {
  run.slotOf('volumes');
  return acceptedParts.get(run, kindOf(run, testAgent), async () => {
    const refusals = new Map<string, number>();
    const isAccepted = async (spec: Fragment): Promise<boolean> => {
      if (!isSentWhole(run, spec)) return false;
      const exchange = await putPart(run, testAgent, spec);
      if (isSuccessful(exchange)) return true;
      for (const field of fieldsIn(spec)) refusals.set(field, exchange.response.status);
      return false;
    };
    // Sizes differ in other members than most candidates, so both fit into the same updates.
    const all = await candidates(run, testAgent);
    const accepted = await acceptedGroups([...all, ...eachSize], isAccepted);
    const groups = groupsOf(accepted, (part) => !eachSize.includes(part));
    const fragments = all.filter((part) => accepted.some((group) => group.includes(part)));
    const sizes = await acceptedSizesCache.get(run, kindOf(run, testAgent), async () => sizesIn(accepted.flat()));
    // An agent that others use is never made public.
    const mayBePublic = testAgent.name.startsWith(run.prefix);
    const amounts = await acceptedAmounts(run, testAgent);
    const known = new Set(accepted.flat().flatMap(fieldsIn));
    const refused = [...refusals].filter(([field]) => !known.has(field));
    // If these were known before, nothing else has overwritten the fragments.
    await restore(run, testAgent);
    return { generation: testAgent.generation, mayBePublic, fragments, groups, sizes, amounts, refused };
  });
}

/** Such as `spec.policies` and `spec.runtime.memory`. */
const fieldsIn = ({ runtime = {}, revision = {}, ...others }: Fragment): string[] => [
  ...Object.keys(others).map((field) => `spec.${field}`),
  ...Object.keys(runtime).map((field) => `spec.runtime.${field}`),
  ...Object.keys(revision).map((field) => `spec.revision.${field}`),
];

/** Sends a part, with the values of the agent in place of placeholders. */
export const putPart = async (run: Run, testAgent: TestAgent, spec: Fragment): Promise<Exchange> =>
  put(run, testAgent, await upToDate(run, testAgent, spec));

type IsAccepted = (spec: Fragment) => Promise<boolean>;

/**
 * The parts that are accepted, grouped by updates that contained them. As many as possible are sent in one update. If it
 * is refused, they are sent without sizes, because a plan may limit memory or scale, and then one by one.
 */
export async function acceptedGroups(
  parts: readonly Fragment[],
  isAccepted: IsAccepted,
): Promise<readonly (readonly Fragment[])[]> {
  const found = [];
  for (const group of unions(parts)) found.push(...(await acceptedWithin(group, isAccepted)));
  return found;
}

async function acceptedWithin(group: readonly Fragment[], isAccepted: IsAccepted): Promise<(readonly Fragment[])[]> {
  if (await isAccepted(joinAll(group))) return [group];
  const found = [];
  for (const smaller of group.length > 1 ? smallerGroups(group) : [])
    found.push(...(await acceptedWithin(smaller, isAccepted)));
  return found;
}

function smallerGroups(group: readonly Fragment[]): (readonly Fragment[])[] {
  const [sizes, others] = [true, false].map((isSize) => group.filter((part) => eachSize.includes(part) === isSize));
  const each = (parts: readonly Fragment[] = []) => parts.map((part) => [part]);
  return sizes?.length && others?.length ? [others, ...each(sizes)] : each(group);
}

/** The groups with only some of their parts; none is empty. */
const groupsOf = (groups: readonly (readonly Fragment[])[], isKept: (part: Fragment) => boolean) =>
  groups.map((group) => group.filter(isKept)).filter(({ length }) => length > 0);

/** Few updates that contain several fragments: only those that the target has accepted together. */
export const combine = ({ groups = [] }: Accepted): Fragment[] =>
  groups.filter(({ length }) => length > 1).map(joinAll);

const joinAll = (group: readonly Fragment[]): Fragment => group.reduce(joinSpecs, {});

/** Each part in the first union in which it changes no other part. */
function unions(all: readonly Fragment[]): readonly (readonly Fragment[])[] {
  const found: { readonly spec: Fragment; readonly parts: readonly Fragment[] }[] = [];
  for (const part of all) {
    const at = found.findIndex(({ spec }) => areDisjoint(spec, part));
    const { spec, parts } = found[at] ?? { spec: {}, parts: [] };
    found.splice(at === -1 ? found.length : at, 1, { spec: joinSpecs(spec, part), parts: [...parts, part] });
  }
  return found.map(({ parts }) => parts);
}

/** The sizes that a plan allows. */
export function acceptedSizes(run: Run, testAgent: TestAgent): Promise<Sizes> {
  return acceptedSizesCache.get(run, kindOf(run, testAgent), async () =>
    sizesIn((await acceptedGroups(eachSize, async (spec) => isSuccessful(await put(run, testAgent, spec)))).flat()),
  );
}

/** Each size on its own. */
export const eachSize: readonly Fragment[] = Object.entries(allSizes).flatMap(([field, sizes]) =>
  (sizes as readonly number[]).map((size) => ({ runtime: { [field]: size } })),
);

function sizesIn(fragments: readonly Fragment[]): Sizes {
  const sizesOf = (field: keyof Sizes): number[] =>
    allSizes[field].filter((size) => fragments.some(({ runtime }) => isDeepStrictEqual(runtime, { [field]: size })));
  return { memory: sizesOf('memory'), minScale: sizesOf('minScale'), maxScale: sizesOf('maxScale') };
}

/** Without fragments with values of one agent, which only `putParts` can send. */
export function withoutOwnValues(accepted: Accepted): Accepted {
  const isKept = (fragment: Fragment): boolean => !namesRevision(fragment) && !namesImage(fragment);
  const { fragments, groups = [] } = accepted;
  return { ...accepted, fragments: fragments.filter(isKept), groups: groupsOf(groups, isKept) };
}

/** Sends valid parts. If they name the newest revision and are refused, sends them again without `revision`. */
export async function putParts(run: Run, testAgent: TestAgent, { metadata, spec }: AgentParts): Promise<Put> {
  const send = (candidate: Spec): Promise<Put> => putValid(run, testAgent, candidate, metadata);
  const current = await upToDate(run, testAgent, spec);
  const first = await send(current);
  if (isSuccessful(first.exchange) || !namesRevision(spec)) return first;
  return send(withoutRevision(current));
}

/** Placeholder for the newest revision: every update creates one, and only the last few may be kept. */
const NEWEST = 'the newest revision';
/** Placeholder for the image of the agent. */
const OWN_IMAGE = 'the image of the agent';

const namesRevision = ({ revision }: Spec): boolean => JSON.stringify(revision ?? {}).includes(NEWEST);
const namesImage = ({ runtime = {} }: Spec): boolean => 'image' in runtime && runtime.image === OWN_IMAGE;
const withoutRevision = ({ revision: _revision, ...spec }: Spec): Spec => spec;

/**
 * The spec with volumes of the case, and the agent's current newest revision and image; without these two if they are not
 * returned.
 */
async function upToDate(run: Run, testAgent: TestAgent, parts: Spec): Promise<Spec> {
  const spec = await withVolumeNames(run, parts);
  if (!namesRevision(spec) && !namesImage(spec)) return spec;
  const read = await readAgent(run, testAgent);
  const isComplete =
    (!namesRevision(spec) || revisionIn(read) !== undefined) && (!namesImage(spec) || imageIn(read) !== undefined);
  const current = isComplete ? read : await put(run, testAgent);
  return withImage(withRevision(spec, revisionIn(current)), imageIn(current));
}

function withRevision(spec: Spec, newest: string | undefined): Spec {
  if (!namesRevision(spec)) return spec;
  if (newest === undefined) return withoutRevision(spec);
  const named = Object.entries(spec['revision'] as object).map(([field, value]) => [
    field,
    value === NEWEST ? newest : value,
  ]);
  return { ...spec, revision: Object.fromEntries(named) as object };
}

function withImage(spec: Spec, image: string | undefined): Spec {
  if (!namesImage(spec)) return spec;
  const { image: _image, ...runtime } = spec.runtime as { image?: string };
  return { ...spec, runtime: { ...runtime, ...(image !== undefined && { image }) } };
}

/**
 * Undocumented values (repository and authentication types, session lengths, references), and values that must exist
 * (regions, policies, volumes, images, revisions).
 */
async function candidates(run: Run, testAgent: TestAgent): Promise<Fragment[]> {
  const response = await put(run, testAgent);
  const image = imageIn(response);
  const revision = choosesRevision(response) ? undefined : revisionIn(response);
  const policies = await policyNames(run);
  return [
    { repository: { type: 'github', url: 'https://github.com/example/demo-agent' } },
    ...[0, 1, 90, 3600, 86_400].map((stickySessionTtl) => ({ revision: { stickySessionTtl } })),
    { revision: { traffic: 100 } },
    { revision: { canaryPercent: 0 } },
    ...(revision === undefined ? [] : [{ revision: { active: NEWEST } }, { revision: canary }]),
    ...(image === undefined ? [] : [{ runtime: { image: OWN_IMAGE } }]),
    ...(policies.length === 0 ? [] : [{ policies }]),
    { triggers: [{ type: 'http', configuration: { path: '/assay/private', authenticationType: 'private' } }] },
    ...alternativeForms(run),
    ...(await volumeFragments(run, testAgent)),
  ];
}

/** Less common forms of generally accepted values. */
const alternativeForms = (run: Run): readonly Fragment[] => [
  { runtime: { envs: [{ name: 'assay_lowerCase', value: 'text' }] } },
  { runtime: { envs: [{ name: 'ASSAY_EMPTY', value: '' }] } },
  { runtime: { envs: [{ name: 'ASSAY_REFERENCE', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] } },
  ...[
    { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', type: 'http', configuration: { path: '/assay/uuid' } },
    { id: 'Assay_Mixed.Case', type: 'http', configuration: { path: '/assay/Mixed_Case/a%20b/' } },
    asyncTrigger(sampleCallbackUrl(run, 'https://example.com/assay/answers?of=agent&at=1'), { path: '/assay/asking' }),
    asyncTrigger(sampleCallbackUrl(run), { path: '/assay/patient', retry: 10 }),
    { type: 'http-async', configuration: { path: '/assay/once', retry: 0 } },
  ].map((trigger) => ({ triggers: [trigger] })),
];

const asyncTrigger = (callbackUrl: string, configuration: object) => ({
  type: 'http-async',
  configuration: { ...configuration, callbackUrl },
});

const canary = { active: NEWEST, canary: NEWEST, canaryPercent: 7, traffic: 93 };

async function volumeFragments(run: Run, testAgent: TestAgent): Promise<Fragment[]> {
  const { volume } = run.target.resources;
  if (volume === undefined) return [];
  const { region } = volume;
  const [name] = placeholders;
  const mounted = (mountPath: string, readOnly: boolean) => ({ region, volumes: [{ name, mountPath, readOnly }] });
  const several = await undefinedIfNotTried(attachableVolumes(run, testAgent));
  return [
    { region },
    mounted('/mnt/assay', true),
    mounted('/mnt/assay', false),
    mounted('/mnt/Assay Data', false),
    ...(several === undefined || several.names.length === 1
      ? []
      : [{ ...specWithVolumes({ ...several, names: placeholders }) }]),
  ];
}

interface AgentResponse {
  readonly spec?: {
    readonly runtime?: { readonly image?: unknown };
    readonly revision?: { readonly active?: unknown };
  };
  readonly events?: readonly { readonly revision?: unknown }[];
}

function imageIn({ response: { json } }: Exchange): string | undefined {
  const image = (json as AgentResponse | null | undefined)?.spec?.runtime?.image;
  return typeof image === 'string' && image !== '' ? image : undefined;
}

/** Whether an update that names no revision returns the active one: then the server chooses it, whatever an update names (decision 038). */
function choosesRevision({ response: { json } }: Exchange): boolean {
  const active = (json as AgentResponse | null | undefined)?.spec?.revision?.active;
  return typeof active === 'string' && active !== '';
}

function revisionIn({ response: { json } }: Exchange): string | undefined {
  const events = (json as AgentResponse | null | undefined)?.events;
  const revisions = Array.isArray(events) ? (events as { revision?: unknown }[]).map((event) => event.revision) : [];
  return revisions.findLast((revision) => typeof revision === 'string');
}
