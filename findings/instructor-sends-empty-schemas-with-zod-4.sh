#!/usr/bin/env bash
# @instructor-ai/instructor accepts zod 4 (its peer dependency is zod >= 3.23.8), but with it sends a tool whose parameters have no
# properties, so a model or a mock cannot know which fields are wanted: it works only if the reply has them by chance. With zod 3
# the same call sends the properties. A good guess: npm would report a peer conflict if zod 4 did not work.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/try.mjs" <<'JS'
import { createServer } from 'node:http';
import Instructor from '@instructor-ai/instructor';
import OpenAI from 'openai';
import { z } from 'zod';

let parameters;
const server = createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  const [{ function: tool }] = JSON.parse(text).tools;
  parameters = tool.parameters;
  const call = { id: 'call_1', type: 'function', function: { name: tool.name, arguments: '{"name":"Ada","age":36}' } };
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'one', object: 'chat.completion', created: 1, model: 'demo', choices, usage }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new OpenAI({ baseURL: `http://127.0.0.1:${server.address().port}`, apiKey: 'one' });
const { create } = Instructor({ client, mode: 'TOOLS' }).chat.completions;
const user = { name: 'User', schema: z.object({ name: z.string(), age: z.number() }) };
const request = { model: 'demo', messages: [{ role: 'user', content: 'Ada is 36.' }], response_model: user, max_retries: 0 };
const result = await create(request).then(({ name, age }) => `${name} ${age}`, (error) => error.name);
console.log(`properties sent: ${Object.keys(parameters.properties ?? {}).join(', ') || 'none'}; result: ${result}`);
process.exit(0);
JS
try_with() {
  mkdir "$folder/$1"
  cd "$folder/$1"
  npm init -y >/dev/null
  npm install --loglevel=error --no-audit --no-fund @instructor-ai/instructor@1.7.0 openai@6.49.0 "zod@$1" >/dev/null
  cp ../try.mjs .
  version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/@instructor-ai/instructor/package.json', 'utf8')).version")
  echo "@instructor-ai/instructor $version with zod $1: $(node try.mjs)"
}
output=$(try_with 3.25.76; try_with 4.6.7)
echo "$output"
grep -q 'zod 3.25.76: properties sent: name, age; result: Ada 36' <<<"$output"
grep -q 'zod 4.6.7: properties sent: none; ' <<<"$output"
