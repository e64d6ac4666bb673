/** Tools that send a request to the client before they respond: sampling and elicitation. */
import { inputRequired, inputResponse, type CallToolResult, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

type Form = Parameters<typeof inputRequired.elicit>[0]['requestedSchema'];

const RESPONSE_FORM: Form = {
  type: 'object',
  properties: { response: { type: 'string', description: "The user's response" } },
  required: ['response'],
};

/** A default for every primitive type (SEP-1034). */
const DEFAULTS_FORM: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name', default: 'John Doe' },
    age: { type: 'integer', description: 'Age', default: 30 },
    score: { type: 'number', description: 'Score', default: 95.5 },
    status: { type: 'string', description: 'Status', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', description: 'Verified', default: true },
  },
  required: [],
};

const OPTIONS = ['option1', 'option2', 'option3'];
const TITLED = ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title }));

/** Every kind of choice field (SEP-1330). */
const CHOICES_FORM: Form = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', description: 'One', enum: OPTIONS },
    titledSingle: { type: 'string', description: 'One, with titles', oneOf: TITLED },
    legacyEnum: {
      type: 'string',
      description: 'One, with names',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option one', 'Option two', 'Option three'],
    },
    untitledMulti: {
      type: 'array',
      description: 'Several',
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', enum: OPTIONS },
    },
    titledMulti: {
      type: 'array',
      description: 'Several, with titles',
      minItems: 1,
      maxItems: 3,
      items: { anyOf: TITLED },
    },
  },
  required: [],
};

export function registerClientRequestTools(server: McpServer): void {
  registerSampling(server);
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user for a response.', inputSchema: z.object({ message: z.string() }) },
    ({ message }, { mcpReq }) => elicit(mcpReq, message, RESPONSE_FORM),
  );
  server.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks the user with a prefilled form.', inputSchema: z.object({}) },
    (_args, { mcpReq }) => elicit(mcpReq, 'Please check the form.', DEFAULTS_FORM),
  );
  server.registerTool(
    'test_elicitation_sep1330_enums',
    { description: 'Asks the user to choose, with every kind of choice field.', inputSchema: z.object({}) },
    (_args, { mcpReq }) => elicit(mcpReq, 'Please choose.', CHOICES_FORM),
  );
}

function registerSampling(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: "Asks the client's model.", inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, { mcpReq }) => {
      const clientResponse = inputResponse(mcpReq.inputResponses, 'sample');
      if (clientResponse.kind === 'sampling')
        return text(`The model said: ${JSON.stringify(clientResponse.result.content)}`);
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
      return inputRequired({
        inputRequests: { sample: inputRequired.createMessage({ messages, maxTokens: 100 }) },
      });
    },
  );
}

/** Sends the request on the first call; responds when the SDK calls it again with the result. */
function elicit(
  { inputResponses }: { inputResponses?: Parameters<typeof inputResponse>[0] },
  message: string,
  form: Form,
) {
  const clientResponse = inputResponse(inputResponses, 'form');
  if (clientResponse.kind === 'elicit')
    return text(`The user chose ${clientResponse.action}: ${JSON.stringify(clientResponse.content ?? {})}`);
  return inputRequired({ inputRequests: { form: inputRequired.elicit({ message, requestedSchema: form }) } });
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}
