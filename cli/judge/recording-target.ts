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
  const beside = path.join(path.dirname(file), REPORT_FILE);
  if (path.basename(file) === EXCHANGES_FILE && existsSync(beside)) {
    const { name, brand, addresses } = loadReport(beside).target;
    const { management } = addresses;
    if (management !== undefined) {
      say(`${file}: the addresses are those of ${beside}.`);
      return { name, brand, addresses: { ...addresses, management }, ...defaultCredentials };
    }
  }
  const found = targetOfTraffic(file, exchanges);
  const addresses = Object.entries(found.addresses).map(([surface, address]) => `${surface} ${address}`);
  say(`${file}: no target file, so the addresses are those of its requests: ${addresses.join(', ')}.`);
  return found;
}
