/** The target of a recording without a target file. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { REPORT_FILE } from '../../reports/write-report.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { loadReport } from '../command-line/load-report.ts';
import { EXCHANGES_FILE } from '../run/report-folder.ts';
import { defaultCredentials, targetOfTraffic } from './find-target.ts';
import type { Recording } from './recording/recorded-exchange.ts';

/** The target that the report beside the exchanges names, or that the recording shows. */
export function recordingTarget(file: string, { exchanges }: Recording, say: (sentence: string) => void): TargetFile {
  const beside = targetBeside(file);
  if (beside !== undefined) {
    say(`${file}: the addresses are those of ${reportBeside(file)}.`);
    return beside;
  }
  const found = targetOfTraffic(file, exchanges);
  const addresses = Object.entries(found.addresses).map(([surface, address]) => `${surface} ${address}`);
  say(`${file}: no target file, so the addresses are those of its requests: ${addresses.join(', ')}.`);
  return found;
}

const reportBeside = (file: string): string => path.join(path.dirname(file), REPORT_FILE);

/** Undefined unless the file is the exchanges of a report. */
export function targetBeside(file: string): TargetFile | undefined {
  const report = reportBeside(file);
  if (path.basename(file) !== EXCHANGES_FILE || !existsSync(report)) return undefined;
  const { name, brand, addresses } = loadReport(report).target;
  const { management } = addresses;
  return management === undefined
    ? undefined
    : { name, brand, addresses: { ...addresses, management }, ...defaultCredentials };
}
