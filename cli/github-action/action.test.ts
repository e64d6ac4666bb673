/** The GitHub action: its script runs here, with stand-ins for npm and assay that say how they were called. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { assayVersion } from '../command-line/package-info.ts';
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
const bin = path.join(folder, 'assay', 'node_modules', '.bin');
mkdirSync(bin, { recursive: true });
writeFileSync(path.join(folder, 'npm'), standIn, { mode: 0o755 });
writeFileSync(path.join(bin, 'assay'), `${standIn}exit "$ASSAY_ENDS"\n`, { mode: 0o755 });

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
    RUNNER_TEMP: folder,
    ASSAY_ENDS: String(ends),
  };
  const bash = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''];
  const { stdout, status } = spawnSync('bash', bash, { env, encoding: 'utf8' });
  return { words: stdout.trimEnd().split('\n'), code: status };
}

const installing = (version: string): string[] => {
  const words = ['install', '--silent', '--no-save', '--prefix', path.join(folder, 'assay')];
  return [...words, `@svc/assay@${version}`];
};
const fixed = [...installing('0.1.0'), 'test'];

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
    version: '9',
    report: 'r',
  });
  const target = ['--target', 'my target.yaml', '--report', 'r', '--allow', 'write'];
  const rules = ['--only', 'metrics.*', '--only', 'auth.*', '--skip', '$(touch evil); *'];
  expect(words).toEqual([
    ...installing('9'),
    'test',
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
    words: ['sweep', '--target', 'my target.yaml', '--report', 'r'],
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
  const command = new Command();
  defineTestFlags(command);
  const known = command.options.map(({ long }) => long);
  const behind = (script.run ?? '').matchAll(/(?<=flags\+?=\(|" )--[\w-]+/g);
  const flags = [...behind].map(([flag]) => flag);
  expect(flags).toContain('--known-failures');
  expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
});

test('it runs the version of assay that it comes with', () => {
  expect(inputs['version']?.default).toBe(assayVersion);
});
