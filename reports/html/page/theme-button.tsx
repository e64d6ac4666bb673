/** Switches between light and dark; the default follows the system. */
import { useEffect, useState } from 'preact/hooks';

const system = matchMedia('(prefers-color-scheme: dark)');

export function ThemeButton() {
  const [dark, setDark] = useState(system.matches);
  useEffect(() => {
    const follow = (): void => {
      if (document.documentElement.dataset['theme'] === undefined) setDark(system.matches);
    };
    system.addEventListener('change', follow);
    return () => system.removeEventListener('change', follow);
  }, []);
  const change = (): void => {
    document.documentElement.dataset['theme'] = dark ? 'light' : 'dark';
    setDark(!dark);
    dispatchEvent(new Event('themechange'));
  };
  return (
    <button type="button" class="quiet theme" onClick={change}>
      {dark ? 'Light' : 'Dark'} <span class="spoken">colours</span>
    </button>
  );
}
