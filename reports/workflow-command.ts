/** Workflow commands of GitHub Actions, and output in which the runner executes none. */
import { randomUUID } from 'node:crypto';
import { fitTerminal } from './fit-terminal.ts';
import type { Width } from './fit-terminal.ts';
import { escapeControls } from './printable.ts';

/** One line including its line end, escaped for the runner. */
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

/** Under GitHub Actions, wraps the text in lines that stop the runner from executing commands in it. */
export function withoutCommands(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  if (!isInActions(environment)) return text;
  // Random, so that the text cannot contain it.
  const word = randomUUID();
  return `::stop-commands::${word}\n${text.endsWith('\n') ? text : `${text}\n`}::${word}::\n`;
}

/**
 * Untrusted text of several lines, which neither a terminal nor the runner interprets, including its last line end. It
 * fits the terminal `out`; omitted: lines are not wrapped.
 */
export const outputLines = (text: string, out: Width = {}): string =>
  withoutCommands(`${fitTerminal(escapeControls(text, { lineEnds: true }).trimEnd(), out)}\n`);

/** Like `outputLines`, for a single line: line ends are escaped. */
export const outputLine = (line: string, out: Width = {}): string =>
  `${withoutCommands(fitTerminal(escapeControls(line), out))}\n`;
