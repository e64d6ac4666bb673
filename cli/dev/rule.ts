/** `npm run rule -- ID`: everything that a new or changed rule needs, one step after the other, until one fails. */
import { spawnSync } from 'node:child_process';
import { isRequirementId, requirement } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { devCommand } from './dev-command.ts';

const command = devCommand('rule', 'Tries a rule and its deviations, and updates what is generated and measured')
  .argument('<id>', 'id of the rule, such as metrics.group-by.at-most-three')
  .parse();
const id = idOf(command.args[0] ?? '');

// A rule that only observes has no deviations.
const hasDeviations = requirement(id).level === 'must';

const TESTS = 'spec suites mock/deviations cli/plan cli/dev/teeth-verdict.test.ts cli/e2e/stranger.test.ts';

const steps: readonly (readonly [does: string, command: string])[] = [
  ['compiles, and writes what is generated', 'npm run --silent check -- types && npm run --silent documents'],
  ['tries the rule on the mock', `npx --no assay mock -- npx --no assay test --allow destroy --only ${id}`],
  ...(hasDeviations ? [['tries its deviations', `npm run --silent teeth -- --only '${id}*'`] as const] : []),
  ['counts its requests for assay test --plan', `npm run --silent measure -- --only ${id}`],
  ['runs the tests about rules', `npx vitest run --project own --project slow ${TESTS}`],
];

const failed = steps.find(([does, line]) => {
  process.stdout.write(`\n── ${does}: ${line}\n`);
  return spawnSync(line, { shell: true, stdio: 'inherit' }).status !== 0;
});
process.stdout.write(
  failed === undefined
    ? `\n${id} is complete. When all rules and deviations are final: npm run teeth -- --publish\n`
    : `\nfailed: ${failed[1]}\n`,
);
process.exitCode = failed === undefined ? 0 : 1;

function idOf(text: string): RequirementId {
  return isRequirementId(text) ? text : command.error(`error: "${text}" is no rule; npx --no assay rules lists them.`);
}
