/** What a chat request wants instead of text: JSON (`response_format`), or a call (`tool_choice`, or `function_call` of old clients). */
import { hashText } from '../../metrics/hash.ts';
import { invalidField, Problem } from '../../http/problems.ts';
import { isObject, type JsonObject } from '../../../spec/json-object.ts';
import { jsonFromSchema } from './json-from-schema.ts';
import { Unsatisfiable } from './json-schema.ts';

/** The content of the assistant's message. */
export type ChatOutput = { readonly text: string } | { readonly call: ToolCall };

export interface ToolCall {
  /** A custom tool has text as its input, a function JSON; `legacy` is a function of the deprecated member `functions`. */
  readonly type: 'function' | 'custom' | 'legacy';
  readonly name: string;
  readonly input: string;
}

export type WantedOutput =
  | { readonly kind: 'text' }
  /** `at`: the member of the request. */
  | { readonly kind: 'json'; readonly schema: unknown; readonly at: string }
  | { readonly kind: 'call'; readonly tool: Tool };

interface Tool {
  readonly type: ToolCall['type'];
  readonly name: string;
  readonly schema: unknown;
  readonly at: string;
}

/** A forced call comes first, also after the result of a tool: clients throw if it is missing. Throws a problem that names the field. */
export function readWantedOutput(members: JsonObject): WantedOutput {
  const tool = forcedTool(members) ?? forcedFunction(members);
  const format = wantedFormat(members['response_format']);
  return tool === undefined ? format : { kind: 'call', tool };
}

/** Undefined if the model may choose: the mock then replies with text. */
function forcedTool({ tools: list, tool_choice: choice }: JsonObject): Tool | undefined {
  const tools = readTools(list ?? []);
  if (choice === undefined || choice === null || choice === 'none' || choice === 'auto') return undefined;
  const names = namesIn(choice);
  if (names === undefined) return undefined;
  const found = names.length === 0 ? tools[0] : tools.find(({ name }) => names.includes(name));
  if (found !== undefined) return found;
  throw invalidField('tool_choice', choice, tools.map(({ name }) => name).join(', ') || 'only with tools');
}

/** Of the deprecated members `functions` and `function_call`, which clients still send. */
function forcedFunction({ functions: list, function_call: choice }: JsonObject): Tool | undefined {
  if (choice === undefined || choice === null || choice === 'none' || choice === 'auto') return undefined;
  const functions = Array.isArray(list) ? list.filter(isObject) : [];
  const index = functions.findIndex(({ name }) => isObject(choice) && name === choice['name']);
  const { name, parameters: schema } = functions[index] ?? {};
  if (typeof name === 'string') return { name, type: 'legacy', schema, at: `functions[${index}].parameters` };
  throw invalidField('function_call', choice, 'none, auto, or the name of a function, such as {"name":"find"}');
}

/** Of the tools of which one must be called, empty for any; undefined if none must be. */
function namesIn(choice: unknown): string[] | undefined {
  if (choice === 'required') return [];
  if (!isObject(choice)) throw invalidField('tool_choice', choice, CHOICES);
  const { type, allowed_tools: allowed } = choice;
  if (type === 'allowed_tools' && isObject(allowed) && Array.isArray(allowed['tools']))
    return allowed['mode'] === 'required' ? allowed['tools'].map(nameOf) : undefined;
  return [nameOf(choice)];
}

const CHOICES = 'none, auto, required, or a function such as {"type":"function","function":{"name":"find"}}';

/** Tools of other types are ignored: the mock cannot call them. */
function readTools(list: unknown): Tool[] {
  if (!Array.isArray(list)) throw invalidField('tools', list, 'an array');
  return list.flatMap((tool: unknown, index): Tool[] => {
    const details = detailsOf(tool);
    if (details === undefined) return [];
    const { name, type, parameters: schema } = details;
    return [{ name, type, schema, at: `tools[${index}].function.parameters` }];
  });
}

function nameOf(choice: unknown): string {
  const { name } = detailsOf(choice) ?? {};
  if (name === undefined) throw invalidField('tool_choice', choice, CHOICES);
  return name;
}

/** Of a tool or a choice: `{type: 'function', function: {name}}` or `{type: 'custom', custom: {name}}`. */
function detailsOf(tool: unknown): { name: string; type: Tool['type']; parameters: unknown } | undefined {
  if (!isObject(tool)) return undefined;
  const type = tool['type'] === 'custom' ? 'custom' : 'function';
  const details = tool[type];
  if (!isObject(details) || typeof details['name'] !== 'string') return undefined;
  return { name: details['name'], type, parameters: details['parameters'] };
}

function wantedFormat(format: unknown): WantedOutput {
  if (format === undefined || format === null) return { kind: 'text' };
  const type = isObject(format) ? format['type'] : undefined;
  const at = 'response_format.json_schema.schema';
  if (type === 'text') return { kind: 'text' };
  // Some servers of this protocol take a schema here, and clients such as instructor send it.
  if (isObject(format) && type === 'json_object')
    return { kind: 'json', schema: format['schema'], at: 'response_format.schema' };
  const details = isObject(format) ? format['json_schema'] : undefined;
  if (type === 'json_schema' && isObject(details)) return { kind: 'json', schema: details['schema'], at };
  throw invalidField('response_format', format, 'text, json_object, or json_schema with a member json_schema');
}

/** `text` is the reply if nothing else is wanted, and in JSON without a schema. The same seed and text yield the same output. */
export function generateOutput(wanted: WantedOutput, seed: number, text: string): ChatOutput {
  if (wanted.kind === 'text') return { text };
  if (wanted.kind === 'json') return { text: jsonText(wanted, { output: text }, seed, text) };
  const { type, name } = wanted.tool;
  return { call: { type, name, input: type === 'custom' ? text : jsonText(wanted.tool, {}, seed, text) } };
}

function jsonText(
  { schema, at }: { readonly schema: unknown; readonly at: string },
  withoutSchema: object,
  seed: number,
  text: string,
): string {
  if (schema === undefined || schema === null) return JSON.stringify(withoutSchema);
  if (typeof schema !== 'boolean' && !isObject(schema)) throw invalidField(at, schema, 'a JSON Schema');
  try {
    return JSON.stringify(jsonFromSchema(schema, hashText(seed, text)));
  } catch (error) {
    throw error instanceof Unsatisfiable ? unsatisfiable(at, error) : error;
  }
}

const unsatisfiable = (at: string, { message }: Unsatisfiable): Problem =>
  new Problem(
    400,
    'invalid_request',
    `The mock cannot generate a value for ${at}: ${message}. Change the schema, or script the reply in the world file (replies).`,
  );
