/** The Markdown pages of the project that users read. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const projectRoot = path.join(import.meta.dirname, '../../..');

export interface MarkdownPage {
  /** From the project root, such as `docs/mock.md`. */
  readonly file: string;
  readonly text: string;
}

export function markdownPages(): MarkdownPage[] {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...globSync('docs/*.md', { cwd: projectRoot }).toSorted(),
  ];
  return files.map((file) => ({ file, text: readFileSync(path.join(projectRoot, file), 'utf8') }));
}

/** Fenced blocks in a language. */
export function codeBlocks({ text }: MarkdownPage, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm');
  return [...text.matchAll(fence)].map(([, block = '']) => block);
}
