/** A shell script of curl commands that repeats all requests of a counterexample. */
import { curlCommand, curlLine } from '../../spec/curl.ts';
import type { SentRequest } from './exchange.ts';

/**
 * Concurrent requests, or a stream that stays open during the following steps until it is closed or the script ends.
 * Streams are identified by their request object.
 */
export type ScriptStep = readonly SentRequest[] | { readonly opens: SentRequest } | { readonly closes: SentRequest };

/** Runs the steps in order. `placeholders` are the names of secrets, with $. */
export function curlScript(steps: readonly ScriptStep[], placeholders: ReadonlySet<string>): string {
  const open = new Map<SentRequest, string>();
  let opened = 0;
  const lines = steps.flatMap((step) => {
    if ('opens' in step) {
      const variable = `stream${(opened += 1)}`;
      open.set(step.opens, `$${variable}`);
      return openingLines(step.opens, variable, placeholders);
    }
    if (!('closes' in step)) return concurrentLines(step, placeholders);
    const stream = open.get(step.closes);
    open.delete(step.closes);
    return stream === undefined ? [] : [`kill ${stream}`];
  });
  const ending = open.size === 0 ? [] : [`sleep 2; kill ${[...open.values()].join(' ')}`];
  return commentsFirst([...lines, ...ending].join('\n'));
}

/** Each comment once. */
function commentsFirst(script: string): string {
  const { comments = [], commands = [] } = Object.groupBy(script.split('\n'), (line) =>
    line.startsWith('# ') ? 'comments' : 'commands',
  );
  return [...new Set(comments), ...commands].join('\n');
}

function concurrentLines(requests: readonly SentRequest[], placeholders: ReadonlySet<string>): string[] {
  if (requests.length < 2) return requests.map((request) => curlLine(request, placeholders));
  const commands = requests.map((request) => curlCommand(request, placeholders));
  const children = commands.map((_, at) => `sent${at + 1}`);
  // Waits for named processes only: a plain `wait` would wait for open streams forever.
  return [
    ...commands.map(({ command, comment }, at) => `${comment}${command} & ${children[at]}=$!`),
    `wait ${children.map((child) => `$${child}`).join(' ')}`,
  ];
}

/** Prints received data immediately and gives the stream time to open. */
function openingLines(request: SentRequest, variable: string, placeholders: ReadonlySet<string>): string[] {
  const { command, comment } = curlCommand(request, placeholders);
  return [`${comment}${command} -N & ${variable}=$!`, 'sleep 1'];
}
