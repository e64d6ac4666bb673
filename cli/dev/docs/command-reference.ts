/** Every command with its arguments, flags and defaults, for docs/cli.md. */
import type { Argument, Command, Option } from 'commander';
import { createProgram } from '../../commands/index.ts';
import { markdownTable } from './markdown-table.ts';

export async function commandReference(): Promise<string> {
  const { commands } = await createProgram();
  return commands.map(section).join('\n\n');
}

function section(command: Command): string {
  const options = command.options.filter(({ hidden }) => !hidden);
  const parts = [
    `## assay ${command.name()}`,
    `${command.description()}.`,
    `\`\`\`text\nassay ${command.name()} ${command.usage()}\n\`\`\``,
    ...(command.registeredArguments.length > 0
      ? [markdownTable(['argument', 'meaning'], command.registeredArguments.map(argumentRow))]
      : []),
    ...(options.length > 0 ? [markdownTable(['flag', 'meaning', 'default'], options.map(optionRow))] : []),
  ];
  return parts.join('\n\n');
}

const argumentRow = (argument: Argument): string[] => [`\`${argument.name()}\``, argument.description];

const optionRow = ({ flags, description, defaultValue, defaultValueDescription, argChoices }: Option): string[] => [
  `\`${flags}\``,
  description + (argChoices === undefined ? '' : ` (${argChoices.join(', ')})`),
  defaultValueDescription ?? (defaultValue === undefined || Array.isArray(defaultValue) ? '' : String(defaultValue)),
];
