/** The certificate and key of `--tls-cert` and `--tls-key`. */
import { describeFileError } from '../../spec/describe-file-error.ts';
import { readTextFile } from '../../spec/files/read-text.ts';
import { tlsProblem, type TlsFiles } from '../../mock/http/tls.ts';
import { UsageError } from '../command-line/usage-error.ts';

export interface TlsFlags {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

const MAX_PEM_BYTES = 1024 * 1024;

/** Undefined without the flags. Throws UsageError if one is missing, or the files are not a certificate and its key. */
export function readTls({ tlsCert, tlsKey }: TlsFlags): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined) throw new UsageError('--tls-key needs the certificate as well: --tls-cert FILE.');
  if (tlsKey === undefined) throw new UsageError('--tls-cert needs its private key as well: --tls-key FILE.');
  const files = { cert: readPem('--tls-cert', tlsCert), key: readPem('--tls-key', tlsKey) };
  const problem = tlsProblem(files);
  if (problem === undefined) return files;
  throw new UsageError(`--tls-${problem.option} ${{ cert: tlsCert, key: tlsKey }[problem.option]} ${problem.reason}.`);
}

function readPem(flag: string, file: string): string {
  try {
    return readTextFile(file, MAX_PEM_BYTES, { mayBePipe: true });
  } catch (error) {
    throw new UsageError(`${flag} ${file} ${describeFileError(error)}.`);
  }
}
