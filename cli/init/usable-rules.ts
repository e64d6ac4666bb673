/** Which rules a run can try against a target, and what would enable the others. */
import { surfaces } from '../../spec/openapi-document.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import { operation } from '../../spec/operations.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { adviceFor } from '../../spec/requirements/need-advice.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import { strongestCredentialName } from '../../suites/engine/callers.ts';
import { unmetNeeds } from '../../suites/engine/needs.ts';
import type { Target } from '../../suites/target/target.ts';
import { couldWrite } from '../../suites/target/wire-request.ts';

export interface UsableRules {
  /** Must rules. */
  readonly usableCount: number;
  readonly allCount: number;
  /** How many of the must rules of each area can be tried. */
  readonly areas: readonly { readonly area: string; readonly usableCount: number; readonly allCount: number }[];
  /** What must rules lack, and how many lack it, in descending order. */
  readonly missing: readonly (readonly [what: string, ruleCount: number])[];
}

/** At most these: a target may not accept a credential, or have neither the operation nor what a rule compares. */
export function usableRules(target: Target): UsableRules {
  const must = (requirements as readonly Requirement[]).filter(({ level }) => level === 'must');
  const judged = must.map((rule) => ({ area: areaOf(rule), missing: adviceOn(rule, target) }));
  const countUsable = (some: typeof judged): number => some.filter(({ missing }) => missing.length === 0).length;
  const counts = Map.groupBy(
    judged.flatMap(({ missing }) => missing),
    (what) => what,
  );
  return {
    usableCount: countUsable(judged),
    allCount: must.length,
    areas: [...Map.groupBy(judged, ({ area }) => area)].map(([area, own]) => ({
      area,
      usableCount: countUsable(own),
      allCount: own.length,
    })),
    missing: [...counts].map(([what, all]) => [what, all.length] as const).toSorted(([, a], [, b]) => b - a),
  };
}

const areaOf = ({ id }: Requirement): string => id.slice(0, id.indexOf('.'));

/** What would let the rule be tried, as imperatives. */
function adviceOn(rule: Requirement, target: Target): string[] {
  const hasCredential =
    strongestCredentialName(target) !== undefined || Object.keys(target.credentials.scoped).length > 0;
  const named = unmetNeeds(rule, target);
  const needs = [
    ...(hasCredential ? [] : ['credentials']),
    ...(named.length > 0 ? named : alternativesMissing(rule, target)),
    ...(target.account === undefined && isAboutAccount(rule) ? ['account'] : []),
    ...(target.workspace === undefined && needsWorkspace(rule) ? ['the workspace of the target'] : []),
  ];
  const addresses = missingSurfaces(rule, target).map((surface) => `add addresses.${surface} to the target file`);
  return [...needs.map((need) => adviceFor(need) ?? `provide ${need}`), ...addresses];
}

/** What rules need that can be met in several ways, and so is not in `needs`. */
const alternatives: Readonly<Partial<Record<RequirementId, (target: Target) => string | undefined>>> = {
  'auth.credentials.expired-refused': ({ credentials, client }) =>
    (credentials.expired ?? client) ? undefined : 'expired',
  'errors.management.body-shape': ({ allow, credentials }) =>
    allow === 'read' && credentials.member === undefined ? 'write' : undefined,
};

function alternativesMissing(rule: Requirement, target: Target): string[] {
  if (target.allow === 'read' && onlyWrites(rule)) return ['write'];
  return [alternatives[rule.id as RequirementId]?.(target)].filter((need) => need !== undefined);
}

/** Whether the rule is only about operations that a run with allow: read does not send. */
const onlyWrites = ({ operations }: Requirement): boolean =>
  operations.length > 0 && operations.every((each) => !isSurface(each) && couldWrite(operation(each)));

const surfacesOf = ({ operations }: Requirement): Set<Surface> =>
  new Set(operations.map((each) => (isSurface(each) ? each : operation(each).surface)));

const isSurface = (each: Requirement['operations'][number]): each is Surface =>
  surfaces.some((surface) => surface === each);

/** Empty if the target has an address for at least one of the rule's surfaces. The need `sandbox` includes its address. */
function missingSurfaces(rule: Requirement, { addresses }: Target): Surface[] {
  const all = [...surfacesOf(rule)].filter((surface) => surface !== 'sandbox' || !rule.needs.includes('sandbox'));
  return all.some((surface) => addresses[surface] !== undefined) ? [] : all;
}

const isAboutAccount = ({ operations }: Requirement): boolean =>
  operations.length > 0 && operations.every((each) => !isSurface(each) && operation(each).path.includes('{accountId}'));

/** Whether it calls only what has the workspace in its path, besides the update of the agent that it calls. */
function needsWorkspace({ operations }: Requirement): boolean {
  const others = operations.filter((each) => each !== 'updateAgent');
  return others.length > 0 && others.every((each) => !isSurface(each) && operation(each).path.includes('{workspace}'));
}
