/** Keeps the annotations of a step within what GitHub shows: ten of each level, of which the last says how many are not shown. */
import { counted } from '../spec/counted.ts';
import { workflowCommand, withoutCommands } from './workflow-command.ts';

export type Level = 'error' | 'warning' | 'notice';

export interface Annotation {
  readonly level: Level;
  /** Such as `file` and `title`. */
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
  /** The annotation as a line of the log. */
  readonly line: string;
}

/** For each level and step. GitHub ignores the others. */
const MAX_SHOWN = 10;

const LEVELS = ['error', 'warning', 'notice'] as const;

/** Workflow commands. What is not annotated follows as lines that the runner does not interpret. Annotations in front are kept. */
export function limitedAnnotations(annotations: readonly Annotation[]): string[] {
  const commands = LEVELS.flatMap((level) => commandsOf(annotations.filter((each) => each.level === level)));
  const hidden = LEVELS.flatMap((level) => hiddenOf(annotations.filter((each) => each.level === level)));
  if (hidden.length === 0) return commands;
  return [...commands, withoutCommands(`${hidden.map(({ line }) => `  ${line}`).join('\n')}\n`)];
}

function commandsOf(annotations: readonly Annotation[]): string[] {
  const hidden = hiddenOf(annotations);
  const commands = annotations
    .slice(0, annotations.length - hidden.length)
    .map(({ level, properties, message }) => workflowCommand(level, properties, message));
  const [first] = hidden;
  if (first === undefined) return commands;
  const message = `${counted(hidden.length, `more ${first.level}`)} in the log of this step: GitHub shows ${MAX_SHOWN} annotations of a level.`;
  return [...commands, workflowCommand(first.level, { title: `and ${hidden.length} more` }, message)];
}

const hiddenOf = (annotations: readonly Annotation[]): readonly Annotation[] =>
  annotations.length <= MAX_SHOWN ? [] : annotations.slice(MAX_SHOWN - 1);
