// Small helpers for elements of the page.

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, className = '', text = ''): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

export function button(text: string, title: string, act: () => void): HTMLButtonElement {
  const element = make('button', '', text);
  element.title = title;
  element.setAttribute('aria-label', title);
  element.addEventListener('click', act);
  return element;
}

export function select(title: string, options: [value: string, text: string][], act: (value: string) => void): HTMLSelectElement {
  const element = make('select');
  element.title = title;
  element.setAttribute('aria-label', title);
  for (const [value, text] of options) element.add(new Option(text, value));
  element.addEventListener('change', () => act(element.value));
  return element;
}

export function checkbox(text: string, title: string, on: boolean, act: (on: boolean) => void): HTMLLabelElement {
  const label = make('label', 'check');
  label.title = title;
  const box = make('input');
  box.type = 'checkbox';
  box.checked = on;
  box.addEventListener('change', () => act(box.checked));
  label.append(box, text);
  return label;
}
