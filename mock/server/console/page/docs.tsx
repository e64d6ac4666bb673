/** Renders the API reference into its page. */
import { render } from 'preact';
import { AccessGate } from './access-gate.tsx';
import { Reference } from './reference/reference.tsx';

const page = document.getElementById('page') as HTMLElement;
page.replaceChildren();
render(<AccessGate>{(target) => <Reference target={target} />}</AccessGate>, page);
