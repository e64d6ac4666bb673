/** The environment variables of a command that runs beside the mock, in addition to ASSAY_TARGET; undefined: not set. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TlsFiles } from '../../mock/start-mock.ts';
import type { MockTarget } from '../../mock/world/target.ts';

export function commandEnvironment({
  addresses: { management, host, inference, sandbox },
  credentials,
  workspace,
}: MockTarget): Record<string, string | undefined> {
  return {
    ASSAY_MANAGEMENT_URL: management,
    ASSAY_HOST_URL: host,
    ASSAY_INFERENCE_URL: inference,
    // Not that of an outer mock, if the world has no sandbox.
    ASSAY_SANDBOX_URL: sandbox,
    ASSAY_API_KEY: credentials.apiKey.value,
    ASSAY_ADMIN_TOKEN: credentials.admin.value,
    ASSAY_WORKSPACE: workspace,
  };
}

/**
 * Makes commands of Node trust a self-signed certificate. Writes it to a file in `folder`, together with those that
 * NODE_EXTRA_CA_CERTS of `environment` names, because Node reads only one file.
 */
export function trustCertificate(
  { cert }: TlsFiles,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const file = path.join(folder, 'ca.pem');
  writeFileSync(file, Buffer.concat([othersIn(environment), Buffer.from('\n'), Buffer.from(cert)]));
  return { NODE_EXTRA_CA_CERTS: file };
}

function othersIn({ NODE_EXTRA_CA_CERTS: file = '' }: NodeJS.ProcessEnv): Buffer {
  if (file === '') return Buffer.alloc(0);
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0); // Node itself only warns, as it has when this process started.
  }
}
