/** Renders the report embedded in the document. */
import { render } from 'preact';
import type { PageData } from '../page-data.ts';
import { App } from './app.tsx';
import { readBlock } from './exchanges-of.ts';

render(<App data={readBlock('#report') as PageData} />, document.getElementById('page') as HTMLElement);
