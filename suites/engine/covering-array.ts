/** The fewest requests in which each value of each factor meets each value of every other one, found greedily. */

/** The values of each factor, the most common one first. */
export type Factors = Readonly<Record<string, readonly unknown[]>>;
export type Row<F extends Factors> = { readonly [Name in keyof F]: F[Name][number] };

/** A value of a factor, both by index. */
type Cell = readonly [factor: number, value: number];

/**
 * Rows that contain every pair of values of two factors that occurs in any valid row; about as many rows as the two longest
 * factors have pairs. The same for the same arguments. `isValid` gets rows in which some factors may still be absent, and must
 * accept a part of a row that it accepts.
 */
export function coveringArray<F extends Factors>(factors: F, isValid: (row: Partial<Row<F>>) => boolean): Row<F>[] {
  const names = Object.keys(factors) as (keyof F)[];
  const lengths = names.map((name) => factors[name]!.length);
  const rowOf = (cells: readonly Cell[]): Partial<Row<F>> =>
    Object.fromEntries(cells.map(([factor, value]) => [names[factor], factors[names[factor]!]![value]])) as Partial<
      Row<F>
    >;
  const missing = new Map<string, readonly [Cell, Cell]>();
  for (const pair of everyPairOf(lengths)) if (isValid(rowOf(pair))) missing.set(pairKey(...pair), pair);
  const gainOf = (cell: Cell, cells: readonly Cell[]): number =>
    cells.filter((other) => missing.has(pairKey(other, cell))).length;

  const rows: Row<F>[] = [];
  function complete(first: readonly Cell[]): readonly Cell[] | undefined {
    let cells = first;
    const open = lengths.keys().filter((factor) => !first.some(([each]) => each === factor));
    for (const factor of open) {
      const candidates = Array.from({ length: lengths[factor]! }, (_, value): Cell => [factor, value])
        .filter((cell) => isValid(rowOf([...cells, cell])))
        .map((cell) => ({ cell, gain: gainOf(cell, cells) }));
      const most = Math.max(...candidates.map(({ gain }) => gain));
      const best = candidates.filter(({ gain }) => gain === most);
      const next = best[scattered(rows.length, factor) % best.length];
      if (next === undefined) return undefined;
      cells = [...cells, next.cell];
    }
    return cells;
  }

  for (const [key, pair] of missing) {
    const cells = complete(pair);
    // No valid row has the pair.
    if (cells === undefined) missing.delete(key);
    else {
      for (const [at, cell] of cells.entries())
        for (const other of cells.slice(at + 1)) missing.delete(pairKey(cell, other));
      rows.push(rowOf(cells.toSorted(([one], [other]) => one - other)) as Row<F>);
    }
  }
  return rows;
}

/** A number that depends on both in no regular way, so that also most triples occur where all pairs are covered. */
const scattered = (row: number, factor: number): number =>
  (Math.imul(row + 1, 0x9e_37_79_b1) ^ Math.imul(factor + 1, 0x85_eb_ca_6b)) >>> 16;

/** Also for cells in another order. */
const pairKey = (one: Cell, other: Cell): string =>
  (one[0] < other[0] ? [one, other] : [other, one]).map((cell) => cell.join(':')).join(' ');

/** The pairs of the first values come first. */
function everyPairOf(lengths: readonly number[]): (readonly [Cell, Cell])[] {
  const factors = [...lengths.keys()];
  return factors.flatMap((one) =>
    factors.slice(one + 1).flatMap((other) =>
      Array.from({ length: lengths[one]! * lengths[other]! }, (_, at): readonly [Cell, Cell] => [
        [one, at % lengths[one]!],
        [other, ((at % lengths[one]!) + Math.floor(at / lengths[one]!)) % lengths[other]!],
      ]),
    ),
  );
}
