/** Shows the report that stands in the document. */
import { render } from 'preact';
import type { PageData } from '../page-data.ts';
import { App } from './app.tsx';
import { blockOf } from './exchanges-of.ts';

render(<App data={blockOf('#report') as PageData} />, document.getElementById('page') as HTMLElement);
