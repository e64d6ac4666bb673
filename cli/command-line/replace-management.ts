/** Replaces the management address of a target file by --base-url, unless credentials could then reach another deployment. */
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { readFormat } from '../../spec/formats/read-format.ts';
import { targetFileSchema } from '../../spec/formats/target-file.ts';
import type { CredentialSource, TargetFile } from '../../spec/formats/target-file.ts';

/** Throws InvalidInput for an invalid URL, and if the file has addresses that are not of the new deployment. */
export function replaceManagement(file: TargetFile, baseUrl: string): TargetFile {
  const replaced = withManagement(file, baseUrl);
  const { management } = replaced.addresses;
  const [old, own] = [originOf(file.addresses.management), originOf(management)];
  const foreign = [
    ...surfaceAddresses(file).filter(([, address]) => originOf(address) !== own),
    // The authorization server may be another one, but not that of the other deployment.
    ...tokenAddresses(file).filter(([, address]) => originOf(address) === old && old !== own),
  ];
  const [first] = foreign;
  if (first === undefined) return replaced;
  const [key, address] = first;
  throw new InvalidInput(
    `--base-url ${management}: ${key} of the target file is ${address}, so credentials would be sent to two deployments. ` +
      `Remove ${foreign.map(([each]) => each).join(', ')} from the file, or use another file.`,
  );
}

function withManagement(file: TargetFile, management: string): TargetFile {
  try {
    return readFormat(targetFileSchema, { ...file, addresses: { ...file.addresses, management } });
  } catch (error) {
    throw error instanceof InvalidInput ? new InvalidInput(`--base-url: ${error.message}`) : error;
  }
}

const originOf = (address: string): string => new URL(address).origin;

/** The path of an address in the file, and the address. */
type Place = readonly [key: string, address: string];

const present = (places: readonly (readonly [string, string | undefined])[]): Place[] =>
  places.filter((place): place is Place => place[1] !== undefined);

const surfaceAddresses = ({ addresses: { management: _, ...others }, standsFor }: TargetFile): Place[] =>
  present([
    ...Object.entries(others).map(([surface, address]): [string, string] => [`addresses.${surface}`, address]),
    ['standsFor', standsFor],
  ]);

function tokenAddresses({ client, credentials: { scoped = {}, ...named } = {} }: TargetFile): Place[] {
  const tokenUrls = (sources: Readonly<Record<string, CredentialSource>>, prefix: string) =>
    Object.entries(sources).map(([name, source]): [string, string | undefined] => [
      `${prefix}.${name}.clientCredentials.tokenUrl`,
      'clientCredentials' in source ? source.clientCredentials.tokenUrl : undefined,
    ]);
  return present([
    ['client.tokenUrl', client?.tokenUrl],
    ['client.authorizationUrl', client?.authorizationUrl],
    ...tokenUrls(named, 'credentials'),
    ...tokenUrls(scoped, 'credentials.scoped'),
  ]);
}
