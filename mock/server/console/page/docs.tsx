/** Renders Swagger UI into its page, with one of the documents and the admin token. */
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { TargetFile } from '../../../../spec/formats/target-file.ts';
import { AccessGate } from './access-gate.tsx';
import { control } from './send-request.ts';
import { adminToken } from './target-value.ts';

/** The global that swagger-ui-bundle.js defines. */
declare const SwaggerUIBundle: (options: object) => Viewer;

interface Viewer {
  preauthorizeApiKey(scheme: string, value: string): void;
}

const titles = { management: 'Management', host: 'Host', inference: 'Inference', sandbox: 'Sandbox' } as const;

type DocumentName = keyof typeof titles;

const names = Object.keys(titles) as DocumentName[];

/** In the URL so that documents can be linked to. */
const requested = new URLSearchParams(location.search).get('document');
const documentName = names.find((name) => name === requested) ?? 'management';

function Docs({ target }: { target: TargetFile }) {
  return (
    <>
      <header>
        <p class="masthead">
          <strong>API reference</strong>
          <span class="soft">{target.addresses.management}</span>
          <a href="./">Console</a>
        </p>
        <nav aria-label="Documents">
          {names.map((name) => (
            <a key={name} href={`docs?document=${name}`} aria-current={name === documentName ? 'page' : undefined}>
              {titles[name]}
            </a>
          ))}
        </nav>
      </header>
      <section class="viewer" aria-label="API reference">
        <h1 class="spoken">API reference: {titles[documentName]}</h1>
        <ReferenceViewer token={adminToken(target)} />
      </section>
    </>
  );
}

/** "Try it out" sends requests to the mock as the target's admin. */
function ReferenceViewer({ token }: { token: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const viewer = SwaggerUIBundle({
      url: new URL(`docs/${documentName}.json`, control).href,
      domNode: place.current,
      deepLinking: true,
      displayOperationId: true,
      filter: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
      onComplete: () => {
        for (const scheme of ['bearer', 'apiKey']) viewer.preauthorizeApiKey(scheme, token);
      },
    });
  }, []);
  return <div ref={place} />;
}

/** Swagger UI ignores the system's color scheme. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const followColorScheme = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColorScheme);
followColorScheme();

const page = document.getElementById('page') as HTMLElement;
page.replaceChildren();
render(<AccessGate>{(target) => <Docs target={target} />}</AccessGate>, page);
