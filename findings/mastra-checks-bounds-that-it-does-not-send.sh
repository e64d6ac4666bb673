#!/usr/bin/env bash
# @mastra/core 1.71.0: for a model of the provider OpenAI, the bounds of numbers are taken out of the JSON Schema that is sent as
# response_format (they become words of the description), but the reply is validated with them. A server that follows the schema
# strictly, which is all that structured output promises, can therefore be rejected.
# Exits 1 if it behaves differently.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --loglevel=error --ignore-scripts @mastra/core@1.71.0 @ai-sdk/openai@4.0.118 zod@4.6.7 > /dev/null

cat > agent.mjs <<'JS'
import { createServer } from 'node:http';
import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { z } from 'zod';

let sent;
const server = createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  const body = JSON.parse(text);
  sent = body.response_format.json_schema.schema.properties.days;
  const content = '{"days":42}';
  const head = { id: 'one', created: 1, model: 'demo' };
  if (body.stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
  }
  const chunk = (delta, reason) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${chunk({ role: 'assistant', content }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseURL = `http://127.0.0.1:${server.address().port}/v1`;
const model = createOpenAI({ baseURL, apiKey: 'one' }).chat('demo');
const agent = new Agent({ id: 'one', name: 'one', instructions: 'Be brief.', model });
const schema = z.object({ days: z.int().min(1).max(30) });
let outcome;
try {
  outcome = JSON.stringify((await agent.generate('Plan a trip.', { structuredOutput: { schema } })).object);
} catch (error) {
  outcome = error.message.replaceAll('\n', ' ');
}
console.log(`sent: ${JSON.stringify(sent)}; outcome of 42 days: ${outcome}`);
process.exit(0);
JS
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/@mastra/core/package.json', 'utf8')).version")
result=$(node agent.mjs | grep '^sent: ')
echo "@mastra/core $version, $result"
case $result in
  *maximum*) exit 1 ;;
  *'lower than or equal to 30'*'outcome of 42 days: '*'validation failed'*) exit 0 ;;
  *) exit 1 ;;
esac
