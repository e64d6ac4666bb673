/** The GitHub action: its script runs here, with stand-ins for npm and node that print how they were called. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { defineTestFlags } from '../command-line/test-flags.ts';

interface Action {
  inputs: Record<string, { description: string; default?: string; required?: boolean }>;
  runs: {
    using: string;
    steps: { if?: string; run?: string; env?: Record<string, string>; uses?: string; with?: object }[];
  };
}

const text = readFileSync(new URL('action.yml', import.meta.url), 'utf8');
const { inputs, runs } = parse(text) as Action;
const [script = {}, sweep = {}] = runs.steps.filter((step) => step.run !== undefined);

const folder = mkdtempSync(path.join(tmpdir(), 'assay-action-'));
afterAll(() => rmSync(folder, { recursive: true }));
const standIn = '#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done\n';
writeFileSync(path.join(folder, 'npm'), standIn, { mode: 0o755 });
writeFileSync(path.join(folder, 'node'), `${standIn}exit "$ASSAY_ENDS"\n`, { mode: 0o755 });
/** Where the runner puts the repository of the action. */
const actionPath = path.join(folder, 'repository/cli/github-action');
const command = `${actionPath}/../assay.mjs`;

/** As the runner does it: inputs go into the variables, bash runs the script and stops at the first failure. */
function run(given: Record<string, string>, ends = 0, step = script): { words: string[]; code: number | null } {
  const valueOf = (name: string): string => given[name] ?? inputs[name]?.default ?? '';
  const filled = Object.entries(step.env ?? {}).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => valueOf(input)),
  ]);
  const env = {
    ...(Object.fromEntries(filled) as object),
    PATH: `${folder}:${process.env['PATH']}`,
    GITHUB_ACTION_PATH: actionPath,
    ASSAY_ENDS: String(ends),
  };
  const bash = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''];
  const { stdout, status } = spawnSync('bash', bash, { env, encoding: 'utf8' });
  return { words: stdout.trimEnd().split('\n'), code: status };
}

const installing = ['ci', '--loglevel', 'error', '--no-audit', '--no-fund', '--prefix', `${actionPath}/../..`];
const fixed = [...installing, command, 'test'];

test('the target alone is enough', () => {
  expect(run({ target: 'staging.yaml' })).toEqual({
    words: [...fixed, '--target', 'staging.yaml', '--report', 'assay-report'],
    code: 0,
  });
});

test('every input becomes a flag, whatever a shell would make of it', () => {
  const { words } = run({
    target: 'my target.yaml',
    allow: 'write',
    only: 'metrics.*\n\nauth.*\n',
    skip: '$(touch evil); *',
    'known-failures': 'known.yaml',
    quick: 'true',
    'rules-as-of': '0.1.0',
    strict: 'true',
    report: 'r',
  });
  const target = ['--target', 'my target.yaml', '--report', 'r', '--allow', 'write'];
  const rules = ['--only', 'metrics.*', '--only', 'auth.*', '--skip', '$(touch evil); *'];
  expect(words).toEqual([
    ...fixed,
    ...target,
    '--known-failures',
    'known.yaml',
    '--rules-as-of',
    '0.1.0',
    '--quick',
    '--strict',
    ...rules,
  ]);
});

test('the step ends as assay test does, and the report is uploaded all the same', () => {
  expect(run({ target: 'a' }, 3).code).toBe(3);
  const upload = runs.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@') === true);
  const folderOf = '${{ inputs.report }}';
  expect(upload).toMatchObject({ if: 'always()', with: { path: `${folderOf}\n!${folderOf}/ledger.ndjson\n` } });
});

test('what the ledger says is swept, however the run ended, before the report is uploaded', () => {
  const given = { target: 'my target.yaml', report: 'r' };
  expect(run(given, 1, sweep)).toEqual({
    words: [command, 'sweep', '--target', 'my target.yaml', '--report', 'r'],
    code: 1,
  });
  expect(sweep).toMatchObject({ if: 'always()', 'continue-on-error': true });
});

test('every input is used, and every input that is used is there', () => {
  const used = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name = '']) => name);
  expect([...new Set(used)].sort()).toEqual(Object.keys(inputs).sort());
  expect(runs.using).toBe('composite');
});

test('its flags are flags of assay test', () => {
  const testCommand = new Command();
  defineTestFlags(testCommand);
  const known = testCommand.options.map(({ long }) => long);
  const behind = (script.run ?? '').matchAll(/(?<=flags\+?=\(|" )--[\w-]+/g);
  const flags = [...behind].map(([flag]) => flag);
  expect(flags).toContain('--known-failures');
  expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
});
