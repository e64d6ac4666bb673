/** What the commands for developers have in common: help, and refusals that say what is allowed, with exit code 2. */
import { Command } from 'commander';

/** Reads nothing before `parse()`, which ends the process after help and refusals; so does `error(sentence)`. */
export function devCommand(name: string, does: string): Command {
  const command = new Command(name).description(does).showSuggestionAfterError().allowExcessArguments(false);
  return command
    .configureHelp({ commandUsage: () => `npm run ${name} -- ${command.usage()}` })
    .configureOutput({ outputError: (text, write) => write(`${text.trimEnd()}\n${allowed(command)}`) })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** The right form, under every refusal. */
function allowed(command: Command): string {
  const words = [
    ...command.registeredArguments.map((each) => `[${each.name()}]`),
    ...command.options.map(({ flags }) => flags),
  ];
  return `Allowed: ${words.join(', ') || 'nothing'}. See npm run ${command.name()} -- --help.\n`;
}
