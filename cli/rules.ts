/** The command `assay rules`: prints the catalogue, a line a rule or as JSON. */
import { requirements } from '../spec/requirements/index.ts';
import type { Subcommand } from './subcommand.ts';

export const subcommand: Subcommand = {
  define: (command) => void command.option('--json', 'as JSON'),
  async run({ json }) {
    process.stdout.write(json === true ? `${JSON.stringify(requirements, null, 2)}\n` : lines());
    return 0;
  },
};

function lines(): string {
  const must = requirements.filter(({ level }) => level === 'must').length;
  const each = requirements.map(({ id, level, rule, needs }) => {
    const wants = needs.length === 0 ? '' : ` [needs ${needs.join(', ')}]`;
    return `${level.padEnd(8)} ${id}${wants}\n         ${rule}\n`;
  });
  return `${each.join('')}${requirements.length} rules: ${must} must, ${requirements.length - must} observe.\n`;
}
