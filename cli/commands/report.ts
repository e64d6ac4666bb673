/** `assay report`: prints the path of the latest report's page, and opens it in the browser on a terminal. */
import { outputLine } from '../../reports/workflow-command.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { findReportPage } from '../report/find-report-page.ts';
import { openerFor, openPage } from '../report/open-page.ts';

export const subcommand: CommandModule = {
  examples: ['assay report', 'assay report reports/out/RUN', 'assay report --no-open'],
  define(command) {
    command
      .argument('[dir]', 'report folder (default: the latest one in reports/out)')
      .option('--no-open', 'only prints the path, which is also what it does in CI, in a pipe and without a display');
  },
  async run({ open }, _, [folder]) {
    const page = findReportPage(folder === undefined ? undefined : String(folder));
    process.stdout.write(outputLine(page));
    const { platform, env: environment, stdout } = process;
    const opener = open === false ? undefined : openerFor({ platform, environment, isTerminal: stdout.isTTY === true });
    if (opener !== undefined && !(await openPage(opener, page)))
      process.stderr.write(outputLine(`${opener} cannot be started: open the file in a browser.`));
    return 0;
  },
};
