// Keys of the page and the help that lists them: one list for both. Where levers have the letters, those of the page are
// taken with shift.
import { button, make } from './dom';

export interface Binding {
  keys: string[]; // as KeyboardEvent.key
  shown: string;
  does: string;
  act: (event: KeyboardEvent) => void;
}

const isLetter = (key: string) => /^[a-z]$/.test(key);
export const isTyping = (target: EventTarget | null) => target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && !['range', 'checkbox'].includes(target.type));

export class Keys {
  readonly help = make('dialog', 'help');
  private readonly table = make('table');

  constructor(
    private readonly bindings: Binding[],
    private readonly lettersWithShift: boolean,
  ) {
    for (const { keys, shown, does } of bindings) this.explain(this.lettersWithShift && keys.some(isLetter) ? `shift ${shown}` : shown, does);
    this.explain('?', 'this help');
    const notes = make('p', '', 'Drag in the scene to turn, with the right button to move, wheel to zoom. In plots: click to go there, drag to zoom, double click for all.');
    this.help.append(make('h2', '', 'Keys'), this.table, notes, button('close', 'close', () => this.help.close()));
    addEventListener('keydown', (event) => this.hear(event));
  }

  explain(keys: string, does: string) {
    const row = this.table.insertRow();
    row.insertCell().append(make('kbd', '', keys));
    row.insertCell().textContent = does;
  }

  private hear(event: KeyboardEvent) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
    if (event.key === '?') this.help.showModal();
    else {
      const found = this.bindings.find(({ keys }) => keys.some((key) => event.key === (this.lettersWithShift && isLetter(key) ? key.toUpperCase() : key)));
      if (!found) return;
      found.act(event);
    }
    event.preventDefault();
  }
}
