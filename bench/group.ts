/** Measures one group, which the argument names, and prints its rows. */
import type { Row } from './row.ts';

const [name] = process.argv.slice(2);
const { rows } = (await import(`./groups/${name}.ts`)) as { readonly rows: () => Row[] | Promise<Row[]> };
const measured = await rows();
console.table(Object.fromEntries(measured.map(({ what, ...row }) => [what, row])));
