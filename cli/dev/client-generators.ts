/** The generators of docs/clients.md: how the page installs, configures and calls each. `npm run clients` does the same. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Generator {
  /** The first word of its heading, and the name of its file in fixtures/clients. */
  readonly name: string;
  /** Installs its packages. */
  readonly install: string;
  /** Generate a client of the document management.json. */
  readonly commands: readonly string[];
  /** Files that the commands read, by name: the blocks that begin with a comment with the name. */
  readonly files: Readonly<Record<string, string>>;
  /** How its client sends the path `a/b`, by the table of the page. Absent if the table does not contain the generator. */
  readonly nestedPath?: string;
}

const page = path.join(import.meta.dirname, '../../docs/clients.md');

/** In the order of the page. */
export const generators: readonly Generator[] = generatorsOf(readFileSync(page, 'utf8'));

export function generatorsOf(text: string): Generator[] {
  return text.split(/^##+ /m).flatMap((section) => {
    const [, block] = /^```bash\n(npm install [^]*?)^```/m.exec(section) ?? [];
    if (block === undefined) return [];
    const [install = '', ...commands] = block.trimEnd().split(/(?<!\\)\n/);
    const name = /^\S+/.exec(section)?.[0] ?? '';
    const [, nestedPath] = new RegExp(`^\\| ${name}(?:,[^|]*| *)\\|[^|]*\\| \`(a[^\`]*b)\``, 'm').exec(text) ?? [];
    const files = [...section.matchAll(/^```[jt]s\n\/\/ (\S+)\n([^]*?)^```/gm)];
    return [
      {
        name,
        install,
        commands,
        files: Object.fromEntries(files.map(([, file = '', content = '']) => [file, content])),
        ...(nestedPath !== undefined && { nestedPath }),
      },
    ];
  });
}

/** The page names one document; the others are used in the same way. */
export const forSurface = (text: string, surface: string): string =>
  text
    .replaceAll('management', surface)
    .replaceAll('Management', `${surface[0]?.toUpperCase() ?? ''}${surface.slice(1)}`);
