/** Counts the deviations of the mock by area, kind of effect and condition, as Markdown. */
import { deviation } from '../../mock/deviations/index.ts';

const areaOf = (id: string): string => id.split('.', 1)[0] ?? '';
const effectOf = (id: string): string => deviation(id).effect;
/** Combined conditions count as each of their parts. */
const conditionsOf = (id: string): string[] =>
  (deviation(id).condition ?? '(decided by the effect)').split(/ and | or /);

export function describeCoverage(ids: readonly string[]): string {
  const areas = [...new Set(ids.map(areaOf))].toSorted();
  const effects = Object.entries(Object.groupBy(ids, effectOf)).map(([effect, members = []]) => ({ effect, members }));
  const rows = effects
    .toSorted((a, b) => b.members.length - a.members.length)
    .map(({ effect, members }) => [effect, members.length, ...areas.map((area) => countIn(members, area))]);
  const conditions = Map.groupBy(
    ids.flatMap((id) => conditionsOf(id)),
    (condition) => condition,
  );
  const counts = [...conditions].map(([name, each]) => [name, each.length] as const).toSorted((a, b) => b[1] - a[1]);
  return `${table(['effect', 'all', ...areas], rows)}\n${table(['condition', 'deviations'], counts)}`;
}

const countIn = (ids: readonly string[], area: string): string =>
  String(ids.filter((id) => areaOf(id) === area).length || '');

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
