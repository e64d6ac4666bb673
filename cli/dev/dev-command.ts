/** The base of the commands for developers: help, and errors that list what is allowed, with exit code 2. */
import { Command } from 'commander';

/** `parse()` reads the arguments and ends the process after help and errors; so does `error(sentence)`. */
export function devCommand(name: string, does: string): Command {
  const command = new Command(name).description(does).showSuggestionAfterError().allowExcessArguments(false);
  return command
    .configureHelp({ commandUsage: () => `npm run ${name} -- ${command.usage()}` })
    .configureOutput({
      outputError: (text, write) => write(`${describeInvalid(text.trimEnd())}\n${allowedWords(command)}`),
    })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** Parsers of values throw only what they expect. */
const describeInvalid = (text: string): string => text.replace(' is invalid. ', ' is invalid: expected ');

/** The valid flags and arguments, printed below every error. */
function allowedWords(command: Command): string {
  const words = [
    ...command.registeredArguments.map((each) => `[${each.name()}]`),
    ...command.options.map(({ flags }) => flags),
  ];
  return `Allowed: ${words.join(', ') || 'nothing'}. See npm run ${command.name()} -- --help.\n`;
}
