/** A form that sends the operation to this mock, and the curl command that does the same. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { curlCommand, type RepeatedRequest } from '../../../../../spec/curl.ts';
import type { TargetFile } from '../../../../../spec/formats/target-file.ts';
import type { OpenApiDocument } from '../../../../../spec/openapi-document.ts';
import { CopyButton } from '../copy-button.tsx';
import { escapeInvisible } from '../format.ts';
import { control, hasControlToken } from '../send-request.ts';
import { credentialsOf, exportCommand, type NamedCredential } from './credentials.ts';
import type { ListedOperation, Server } from './operations.ts';
import { sendAndRead } from './read-response.ts';
import type { ResponseView } from './read-response.ts';
import { bodyText, buildRequest, compactJson, initialBody, initialFields } from './request.ts';
import { SentResponse } from './sent-response.tsx';
import { valueText } from './value-text.ts';

interface Props {
  operation: ListedOperation;
  document: OpenApiDocument;
  server: Server;
  target: TargetFile;
}

export function TryIt({ operation, document, server, target }: Props) {
  const credentials = credentialsOf(target);
  const [contentType] = Object.keys(operation.body?.content ?? {});
  const [fields, setFields] = useState(() => initialFields(operation, server));
  const [text, setText] = useState(() => bodyText(initialBody(operation, document), contentType ?? ''));
  const [credentialName, setCredentialName] = useState(operation.security.length === 0 ? '' : 'admin');
  const { response, failure, send, stop } = useSending();
  const credential = credentials.find(({ name }) => name === credentialName);
  const requestWith = (token: string | undefined, body = text) => {
    const authorization = token === undefined ? '' : `Bearer ${token}`;
    const values = { fields, authorization, ...(contentType !== undefined && { body, contentType }) };
    return buildRequest(operation, server, values, location.origin);
  };
  const curl = curlText(credential, requestWith(credential?.variable, compactJson(text)));
  return (
    <section aria-labelledby="try-it">
      <h2 id="try-it">Try it</h2>
      <form
        class="panel"
        aria-labelledby="try-it"
        onSubmit={(event) => {
          event.preventDefault();
          void send(requestWith(credential?.value));
        }}
      >
        <div class="fields">
          <label>
            Credential
            <select value={credentialName} onChange={({ currentTarget }) => setCredentialName(currentTarget.value)}>
              <option value="">none</option>
              {credentials.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          {fieldsOf(operation, server).map(({ name, isRequired, placeholder }) => (
            <label key={name}>
              {name}
              {isRequired && ' (required)'}
              <input
                value={fields[name] ?? ''}
                placeholder={placeholder}
                required={isRequired}
                onInput={({ currentTarget }) => setFields({ ...fields, [name]: currentTarget.value })}
              />
            </label>
          ))}
        </div>
        {contentType !== undefined && (
          <label>
            Body ({contentType})
            <textarea
              rows={Math.min(18, text.split('\n').length + 1)}
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
        )}
        <div class="buttons">
          <button class="main">Send</button>
          {response?.hasEnded === false && (
            <button type="button" onClick={stop}>
              Stop
            </button>
          )}
          <CopyButton label="Copy as curl" text={curl} what={operation.id} />
        </div>
        <pre class="curl" role="group" aria-label="curl command">
          {escapeInvisible(curl)}
        </pre>
      </form>
      <div role="status">{failure !== undefined && <p class="notice refusal">{failure}</p>}</div>
      {response !== undefined && <SentResponse response={response} />}
    </section>
  );
}

/** Sets the variable of the credential, then sends the request. */
function curlText(credential: NamedCredential | undefined, request: RepeatedRequest): string {
  if (credential === undefined) return curlCommand(request, new Set()).command;
  const setVariable = exportCommand(credential, new URL('target', control), hasControlToken());
  return `${setVariable}\n${curlCommand(request, new Set([credential.variable])).command}`;
}

/** The variables of the server, then the parameters in the order of the document. */
function fieldsOf({ parameters }: ListedOperation, { variables = {} }: Server) {
  return [
    ...Object.keys(variables).map((name) => ({ name, isRequired: true, placeholder: '' })),
    ...parameters.map(({ name, required = false, example }) => ({
      name,
      isRequired: required,
      placeholder: valueText(example),
    })),
  ];
}

/** The state of the last request; a new one replaces one that still runs. */
function useSending() {
  const [response, setResponse] = useState<ResponseView>();
  const [failure, setFailure] = useState<string>();
  const running = useRef<AbortController | undefined>(undefined);
  const stop = (): void => running.current?.abort();
  useEffect(() => stop, []);
  const send = async (request: Parameters<typeof sendAndRead>[0]): Promise<void> => {
    stop();
    const own = new AbortController();
    running.current = own;
    setFailure(undefined);
    setResponse(undefined);
    try {
      for await (const view of sendAndRead(request, own.signal)) if (running.current === own) setResponse(view);
    } catch (error) {
      if (running.current !== own) return;
      if (own.signal.aborted) setResponse((view) => view && { ...view, hasEnded: true });
      else setFailure(`No response: ${(error as Error).message}.`);
    }
  };
  return { response, failure, send, stop };
}
