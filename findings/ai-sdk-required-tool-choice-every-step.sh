#!/usr/bin/env bash
# ai 7.0.173: `toolChoice: 'required'` of generateText holds for every step of its loop, not only for the first. The request that
# carries the result of the tool demands a call again, and a server that answers it with text makes generateText throw
# AI_ToolChoiceViolationError, although the call was made and its result is known. A loop ends only by `stopWhen`.
# Exits 1 if it behaves differently.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --loglevel=error --ignore-scripts ai@7.0.173 @ai-sdk/openai@4.0.118 zod@4.6.7 > /dev/null

cat > loop.mjs <<'JS'
import { createServer } from 'node:http';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';

const choices = [];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  const { messages, tool_choice: choice } = JSON.parse(text);
  choices.push(choice);
  const call = { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{"city":"Lima"}' } };
  const [message, reason] =
    messages.at(-1).role === 'tool'
      ? [{ role: 'assistant', content: 'Found it.' }, 'stop']
      : [{ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls'];
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      id: 'one',
      object: 'chat.completion',
      created: 1,
      model: 'demo',
      choices: [{ index: 0, message, finish_reason: reason }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  );
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseURL = `http://127.0.0.1:${server.address().port}/v1`;
const find = tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `found ${city}` });
let outcome;
try {
  const { text } = await generateText({
    model: createOpenAI({ baseURL, apiKey: 'one' }).chat('demo'),
    prompt: 'Find Lima.',
    tools: { find },
    toolChoice: 'required',
    stopWhen: isStepCount(5),
    maxRetries: 0,
  });
  outcome = `text: ${text}`;
} catch (error) {
  outcome = error.name;
}
console.log(`tool_choice of each request: ${choices.join(', ')}; outcome: ${outcome}`);
process.exit(0);
JS
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/ai/package.json', 'utf8')).version")
result=$(node loop.mjs)
echo "ai $version, $result"
[ "$result" = 'tool_choice of each request: required, required; outcome: AI_ToolChoiceViolationError' ]
