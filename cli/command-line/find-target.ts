/** Finds the target of a command: a file, standard input, ASSAY_TARGET, or --base-url with environment variables. */
import { credentialNames } from '../../spec/formats/target-values.ts';
import type { Allow } from '../../spec/formats/target-values.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { outputLines } from '../../reports/workflow-command.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { proxyFor } from '../../spec/network/proxy-for.ts';
import { openTarget } from '../../suites/target/open-target.ts';
import { readVariable, type Environment } from '../../suites/target/environment.ts';
import type { OpenOptions } from '../../suites/target/open-target.ts';
import { escapeReferences } from '../../suites/target/escape-references.ts';
import { parseTargetFile, readTargetFile } from '../../suites/target/target-file.ts';
import { placeholderName } from '../../suites/target/target.ts';
import type { Target } from '../../suites/target/target.ts';
import { TokenError } from '../../suites/target/token.ts';
import { HarnessError } from '../../suites/target/transport.ts';
import { describeNetworkError } from './network-error.ts';
import { replaceManagement } from './replace-management.ts';
import { UsageError } from './usage-error.ts';

export interface TargetFlags {
  /** A file; `-` is standard input. */
  target?: string;
  /** With `target`, replaces its management address. */
  baseUrl?: string;
  allow?: Allow;
  /** Requests per second. */
  rate?: number;
  /** Names of the operations that the target has. */
  operation?: string[];
}

/** No response from the target, or no token: exit code 3. */
export class TargetUnreachableError extends Error {}

/** Neither a flag nor the environment names a target. */
export class NoTargetError extends UsageError {
  constructor() {
    super(
      'No target. Expected --target FILE, --base-url URL, or ASSAY_TARGET=FILE in the environment. Write a target file with assay init --base-url URL.',
    );
  }
}

/** Prints the error and returns the exit code. */
export function reportUnreachable(command: string, error: TargetUnreachableError): number {
  process.stderr.write(outputLines(`assay ${command}: ${error.message}`, process.stderr));
  return 3;
}

/** Flags override the file. Throws UsageError for an invalid target, TargetUnreachableError if nothing responds. */
export async function findTarget(flags: TargetFlags, environment: Environment): Promise<Target> {
  return openTargetFile(await findTargetFile(flags, environment), environment);
}

/** Throws like `findTarget`. */
export const openTargetFile = (file: TargetFile, environment: Environment): Promise<Target> =>
  withUsageErrors(() => open(file, environment));

/**
 * Looks up what the file omits, and warns of wrong credentials. Throws like `findTarget`; TargetUnreachableError also after an
 * interruption. Prints a sentence for each suspicious response, and passes it to `warn`.
 */
export async function connectTarget(
  file: TargetFile,
  environment: Environment,
  { interrupted, warn: onWarning, checksAddress = false }: Omit<OpenOptions, 'checksCredentials'> = {},
): Promise<Target> {
  const warn = (sentence: string): void => {
    printWarning(sentence);
    onWarning?.(sentence);
  };
  return withUsageErrors(() =>
    open(file, environment, { warn, checksCredentials: true, checksAddress, ...(interrupted && { interrupted }) }),
  );
}

/** Reads the target file with the flags applied. Sends no request. */
export async function findTargetFile(flags: TargetFlags, environment: Environment): Promise<TargetFile> {
  return withUsageErrors(() => readWithFlags(flags, environment));
}

/** Turns an invalid target file into a usage error. */
export async function withUsageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidInput) throw new UsageError(error.message);
    throw error;
  }
}

async function readWithFlags(flags: TargetFlags, environment: Environment): Promise<TargetFile> {
  const file = await targetFile(flags, environment);
  for (const address of Object.values(file.addresses)) proxyFor(address, environment); // fails for an invalid proxy
  return {
    ...file,
    ...(flags.allow === undefined ? {} : { allow: flags.allow }),
    ...(flags.rate === undefined ? {} : { rate: flags.rate }),
    ...(flags.operation === undefined ? {} : { operations: flags.operation }),
  };
}

async function targetFile({ target, baseUrl }: TargetFlags, environment: Environment): Promise<TargetFile> {
  if (target !== undefined) {
    const file = await readTargetFile(target, environment);
    return baseUrl === undefined ? file : replaceManagement(file, baseUrl);
  }
  if (baseUrl !== undefined) return targetFromVariables(baseUrl, environment);
  const file = readVariable(environment, 'ASSAY_TARGET');
  if (file !== undefined) return readTargetFile(file, environment);
  throw new NoTargetError();
}

/** The target at a management address with the credentials of the environment. Throws InvalidInput. */
export function targetFromVariables(baseUrl: string, environment: Environment): TargetFile {
  const set = credentialNames
    .map((name) => [name, placeholderName(name)] as const)
    .filter(([, variable]) => readVariable(environment, variable) !== undefined);
  // JSON omits what is undefined.
  const text = {
    addresses: { management: baseUrl },
    credentials: Object.fromEntries(set.map(([name, env]) => [name, { env }])),
    workspace: readVariable(environment, 'SVC_WORKSPACE'),
    account: readVariable(environment, 'SVC_ACCOUNT'),
  };
  return parseTargetFile(JSON.stringify(escapeReferences(text)), '--base-url', { environment });
}

export const printWarning = (sentence: string): void =>
  void process.stderr.write(outputLines(`assay: ${sentence}`, process.stderr));

async function open(file: TargetFile, environment: Environment, options: OpenOptions = {}): Promise<Target> {
  try {
    return await openTarget(file, environment, { warn: printWarning, ...options });
  } catch (error) {
    if (error instanceof TokenError) throw new TargetUnreachableError(error.message);
    if (error instanceof HarnessError)
      throw new TargetUnreachableError(`The target could not be reached. ${describeNetworkError(error)}`);
    throw error;
  }
}
