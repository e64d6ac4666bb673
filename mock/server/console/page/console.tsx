/** Renders the console into its page. */
import { render } from 'preact';
import type { Facts } from '../../control/views.ts';
import { AccessGate } from './access-gate.tsx';
import { App } from './app.tsx';

const page = document.getElementById('page') as HTMLElement;
const facts = JSON.parse(document.getElementById('facts')?.textContent ?? '') as Facts;

page.replaceChildren();
render(<AccessGate>{(target) => <App target={target} facts={facts} />}</AccessGate>, page);
