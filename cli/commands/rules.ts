/** `assay rules`: prints the catalogue as text, or as JSON with the case and deviations of each rule. */
import { requirements } from '../../spec/requirements/index.ts';
import { describeSource } from '../../spec/requirements/source.ts';
import { suiteFileOf } from '../../spec/suite-file.ts';
import type { CommandModule } from '../command-line/run-command.ts';

export const subcommand: CommandModule = {
  examples: ['assay rules', 'assay rules --json'],
  define: (command) => void command.option('--json', 'prints JSON, with the case and the deviations of each rule'),
  async run({ json }) {
    process.stdout.write(json === true ? `${JSON.stringify(await withDeviations(), null, 2)}\n` : lines());
    return 0;
  },
};

/** `case`: the suite file without its extension, absent if the rule has no case. `deviations`: their ids. */
async function withDeviations(): Promise<object[]> {
  const [{ collectCases }, { deviationIds, requirementOf }] = await Promise.all([
    import('../../suites/engine/collect-cases.ts'),
    import('../../mock/deviations/index.ts'),
  ]);
  const cases = await collectCases();
  return requirements.map((row) => ({
    ...row,
    ...(cases.has(row.id) && { case: `suites/${suiteFileOf(row.id)}` }),
    deviations: deviationIds.filter((id) => requirementOf(id) === row.id),
  }));
}

function lines(): string {
  const must = requirements.filter(({ level }) => level === 'must').length;
  const each = requirements.map(({ id, level, since, rule, needs, sources }) => {
    const wants = needs.length === 0 ? '' : ` [needs ${needs.join(', ')}]`;
    return `${level.padEnd(8)} ${id} (since ${since})${wants}\n         ${rule}\n${sources.map((source) => `         ${describeSource(source)}\n`).join('')}`;
  });
  return `${each.join('')}${requirements.length} rules: ${must} must, ${requirements.length - must} observe.\n`;
}
