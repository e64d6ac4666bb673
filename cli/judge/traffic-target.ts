/** The deployment whose traffic is judged: what the target file says of it, without sending anything. */
import { DEFAULT_BRAND } from '../../spec/brand.ts';
import type { CredentialSource, TargetFile } from '../../spec/formats/target-file.ts';
import { credentialNames } from '../../spec/formats/target-values.ts';
import { basePathOf } from '../../spec/network/base-path.ts';
import type { TargetFacts } from '../../spec/verdicts.ts';
import type { Facts } from '../../suites/judge/seen.ts';
import type { Environment } from '../../suites/target/environment.ts';
import { withoutLastSegment } from '../../suites/target/open-target.ts';
import { placeholderName, type Secret } from '../../suites/target/target.ts';
import { mountsByOrigin, type Addresses, type Mount } from '../proxy/mounts.ts';
import { secretsOf, valueOf, type Secrets } from '../proxy/secrets.ts';

export interface TrafficTarget {
  readonly facts: Facts;
  /** For the report. */
  readonly about: TargetFacts;
  readonly mounts: ReadonlyMap<string, readonly Mount[]>;
  readonly secrets: Secrets;
}

/** A variable that is not set names a credential, too: recordings of assay have its name in place of its value. */
export function trafficTargetOf(file: TargetFile, environment: Environment): TrafficTarget {
  const brand = file.brand ?? DEFAULT_BRAND;
  const addresses = wholeAddresses(file.addresses);
  const { scoped = {}, ...named } = file.credentials ?? {};
  const secretOf = (name: string, source: CredentialSource): Secret => ({
    name: 'env' in source ? source.env : placeholderName(name),
    value: valueOf(source, environment) ?? '',
  });
  const own = credentialNames.flatMap((name) => (named[name] ? [[name, secretOf(name, named[name])] as const] : []));
  const byScope = Object.entries(scoped).map(([scope, source]) => [scope, secretOf(scope, source)] as const);
  return {
    facts: {
      brand,
      addresses,
      credentials: { ...Object.fromEntries(own), scoped: Object.fromEntries(byScope) },
      ...(file.account !== undefined && { account: file.account }),
      ...(file.workspace !== undefined && { workspace: file.workspace }),
    },
    about: { name: file.name ?? new URL(file.addresses.management).host, addresses, brand, allow: 'read' },
    mounts: mountsByOrigin(addresses),
    secrets: secretsOf(file, environment),
  };
}

/** With that of the host, which follows from that of the management API. */
export function wholeAddresses(given: TargetFile['addresses']): Addresses {
  const all: Addresses = { host: withoutLastSegment(given.management), ...given };
  return Object.fromEntries(Object.entries(all).map(([surface, address]) => [surface, normalized(address)]));
}

/** As the URLs of exchanges begin: without a default port and a final slash. */
const normalized = (address: string): string => new URL(address).origin + basePathOf(address);
