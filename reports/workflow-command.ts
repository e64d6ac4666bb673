/** Workflow commands of GitHub Actions: lines of output that its runner obeys, and output in which it obeys none. */
import { randomUUID } from 'node:crypto';
import { printable } from './printable.ts';

/** One line with its end, escaped as the runner reads it. */
export function workflowCommand(
  command: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string>>,
  message: string,
): string {
  const named = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(value)}`);
  return `::${command} ${named.join(',')}::${escaped(message)}\n`;
}

const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapedProperty = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

export const isInActions = (environment: NodeJS.ProcessEnv): boolean => environment['GITHUB_ACTIONS'] === 'true';

/** The text as it is; under GitHub Actions between lines that have its runner obey nothing in it. */
export function withoutCommands(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  if (!isInActions(environment)) return text;
  // Nobody who knows the text can know this word.
  const word = randomUUID();
  return `::stop-commands::${word}\n${text.endsWith('\n') ? text : `${text}\n`}::${word}::\n`;
}

/** With its end: in it neither a terminal nor the runner obeys anything, whoever has written it. */
export const outputLine = (line: string): string => `${withoutCommands(printable(line))}\n`;
