/** The format of `assay.config.ts`, derived from the flags: one section per command, one key per option. */
import type { Command, Option } from 'commander';
import { z } from 'zod';
import { schemaReference } from '../../spec/formats/parts.ts';
import { InvalidValueError } from './usage-error.ts';

const single = z.union([z.string(), z.number()], { error: 'a string or a number' });

const valueOrList = z.union(
  [z.string(), z.number(), z.array(single).min(1, { error: 'a value or a list of values' })],
  {
    error: 'a string, a number or a list of them',
  },
);

/** The section of a command. Values are parsed as those of its flags. */
export function sectionSchema(command: Command): z.ZodType<Record<string, unknown>> {
  const shape = command.options
    .filter((option) => !isOpposite(option, command))
    .map((option) => [option.attributeName(), optionSchema(option).describe(describeOption(option)).optional()]);
  return z.strictObject(Object.fromEntries(shape) as Record<string, z.ZodType>);
}

/** Of another option, as --no-quiet is of --quiet: the key is that of the other one. */
function isOpposite(option: Option, { options }: Command): boolean {
  return option.negate && options.some((other) => !other.negate && other.attributeName() === option.attributeName());
}

/** `sections`: the schema of each command's section. */
export const configSchema = (sections: Readonly<Record<string, z.ZodType>>) =>
  z
    .strictObject({
      ...Object.fromEntries(Object.entries(sections).map(([name, schema]) => [name, schema.optional()])),
      $schema: schemaReference.optional(),
    })
    .meta({ title: 'assay.config.ts' });

const describeOption = ({ description, defaultValue }: Option): string =>
  defaultValue === undefined ? description : `${description} (default: ${String(defaultValue)})`;

const optionSchema = (option: Option): z.ZodType =>
  option.isBoolean()
    ? z.boolean()
    : valueOrList.transform((value, context) => {
        const values = [value].flat().map(String);
        try {
          const parsed = parseAll(option, values);
          // The parser of a repeatable flag returns a list.
          if (!Array.isArray(value) || Array.isArray(parsed)) return parsed;
          context.addIssue({ code: 'custom', message: `a single value, because ${option.long} cannot be repeated` });
        } catch (error) {
          if (!(error instanceof InvalidValueError)) throw error;
          context.addIssue({ code: 'custom', message: error.expected });
        }
        return z.NEVER;
      });

function parseAll(option: Option, values: readonly string[]): unknown {
  const parse: (value: string, previous: never) => unknown = option.parseArg ?? ((value) => value);
  return values.reduce((previous: unknown, each) => parse(each, previous as never), undefined);
}
