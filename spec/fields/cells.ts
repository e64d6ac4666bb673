/** The table of response fields and defects: each cell has the rules that detect it, or what excuses it. */
import { defectKinds, defects, type DefectKind } from './defects.ts';
import { detectedDefects } from './detected-defects.ts';
import { invisibleDefects } from './invisible-defects.ts';
import { responseFields } from './response-fields.ts';
import { undetectedDefects, type Silence } from './undetected-defects.ts';

export interface Cell {
  /** `<operation> <field> <defect>`. */
  readonly name: string;
  /** The rules that detect the defect. */
  readonly rules: readonly string[];
  /** Whether the defect leaves every value of the mock as it is. */
  readonly isInvisible: boolean;
  /** What the interface document leaves open; absent if a rule detects the defect or it is invisible. */
  readonly silence?: Silence;
}

export const cells: readonly Cell[] = responseFields.flatMap(({ operation, field, type }) =>
  defectKinds
    .filter((kind) => defects[kind].types.includes(type as never))
    .map((kind) => cellOf(`${operation} ${field}`, kind)),
);

function cellOf(key: string, kind: DefectKind): Cell {
  const name = `${key} ${kind}`;
  const rules = Object.entries(detectedDefects[key] ?? {}).flatMap(([rule, kinds]) =>
    kinds.includes(kind) ? [rule] : [],
  );
  const isInvisible = invisibleDefects[key]?.includes(kind) ?? false;
  const silence = rules.length > 0 || isInvisible ? undefined : undetectedDefects.find((each) => each.cells.test(name));
  return { name, rules, isInvisible, ...(silence !== undefined && { silence }) };
}
