/** The rooms and layers of `cli/dev/layers.ts` as tables, for docs/architecture.md. */
import { rooms, type Room } from '../layers.ts';
import { markdownTable } from './markdown-table.ts';

export function architectureTable(): string {
  const table = markdownTable(
    ['room', 'contains', 'may import'],
    rooms.map(({ name, contains, mayImport }) => [
      `\`${name}\``,
      contains,
      mayImport.length === 0 ? 'no other room' : mayImport.length > 3 ? 'every room' : mayImport.join(', '),
    ]),
  );
  return [table, ...rooms.filter(({ layers }) => layers !== undefined).map(layerTable)].join('\n\n');
}

function layerTable({ name, layers = [] }: Room): string {
  const rows = layers.map(({ folders, contains }) => [
    folders.map((folder) => (folder === '.' ? `\`${name}/*.ts\`` : `\`${folder}\``)).join(', '),
    contains,
  ]);
  return `### Layers of \`${name}\`, lowest first\n\n${markdownTable(['folders', 'contains'], rows)}`;
}
