/** Chooses the proxy of a request from HTTPS_PROXY, HTTP_PROXY and NO_PROXY, as curl does. */
import { InvalidInput } from '../formats/invalid-input.ts';
import { isLoopback } from './loopback.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const variables: Readonly<Record<string, string>> = { 'http:': 'HTTP_PROXY', 'https:': 'HTTPS_PROXY' };
const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * The URL of the proxy for a URL. Undefined if the request is sent directly, as always to a loopback address. A variable in
 * lower case takes precedence; an empty one counts as not set. Throws InvalidInput if the variable is not a URL.
 */
export function proxyFor(address: string, environment: Environment = process.env): URL | undefined {
  const { protocol, hostname, port } = new URL(address);
  const name = variableFor(protocol, environment);
  const value = name && environment[name];
  if (value === undefined) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isLoopback(host) || isExcluded(host, port || defaultPorts[protocol], environment)) return undefined;
  return parseProxy(value, name ?? '');
}

/** Such as "proxy.example:3128 of HTTPS_PROXY", without user name and password. Undefined and errors as in `proxyFor`. */
export function describeProxyFor(address: string, environment: Environment = process.env): string | undefined {
  const proxy = proxyFor(address, environment);
  return proxy && `${proxy.host} of ${variableFor(new URL(address).protocol, environment)}`;
}

/** The variable that is set, in lower or upper case. */
function variableFor(protocol: string, environment: Environment): string | undefined {
  const name = variables[protocol] ?? '';
  return [name.toLowerCase(), name].find((each) => (environment[each] ?? '') !== '');
}

/** The value is not printed, because it may contain a password. */
function parseProxy(value: string, name: string): URL {
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidInput(`Invalid value of ${name}: expected a URL such as http://proxy.example:3128.`);
}

/** A host, an IPv6 address in brackets or `*`, and a port. An IPv6 address without brackets has no port. */
const hostAndPort = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/;

/** An entry of NO_PROXY is `*`, or a host name that stands also for the names below it. Both may have a port. */
function isExcluded(host: string, port: string | undefined, environment: Environment): boolean {
  const entries = (environment['no_proxy'] || (environment['NO_PROXY'] ?? '')).toLowerCase().split(/[\s,]+/);
  return entries.filter(Boolean).some((entry) => {
    const [, excluded = entry, excludedPort = port] = hostAndPort.exec(entry) ?? [];
    const name = excluded.replace(/^\*?\.|^\[|\]$/g, '');
    return excludedPort === port && (name === '*' || host === name || host.endsWith(`.${name}`));
  });
}
