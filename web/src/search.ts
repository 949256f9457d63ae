// Finds channels by words: all that were typed must occur, in any order.
import { make } from './dom';
import type { Channel } from './source';

const mostShown = 200;

export class Search {
  readonly element = make('div', 'search');
  readonly input = make('input');
  private readonly list = make('ul');
  private chosen = 0;
  private found: number[] = [];

  constructor(
    private readonly channels: Channel[],
    private readonly isShown: (channel: number) => boolean,
    private readonly toggle: (channel: number) => void,
  ) {
    this.input.type = 'search';
    this.input.placeholder = `search ${channels.length} channels  ( / )`;
    this.input.setAttribute('aria-label', 'search channels');
    this.list.hidden = true;
    this.element.append(this.input, this.list);
    this.input.addEventListener('input', () => this.refresh());
    this.input.addEventListener('focus', () => this.refresh());
    this.input.addEventListener('blur', () => setTimeout(() => (this.list.hidden = true), 150));
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        this.chosen = Math.min(Math.max(this.chosen + (event.key === 'ArrowDown' ? 1 : -1), 0), this.found.length - 1);
        this.draw();
        event.preventDefault();
      } else if (event.key === 'Enter' && this.found.length > 0) {
        this.toggle(this.found[this.chosen]);
        this.draw();
      } else if (event.key === 'Escape') {
        this.input.blur();
      }
      event.stopPropagation();
    });
  }

  private refresh() {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = [];
    this.channels.forEach((channel, i) => {
      const text = `${channel.name} ${channel.description} ${channel.group} [${channel.unit}]`.toLowerCase();
      if (words.every((word) => text.includes(word))) this.found.push(i);
    });
    // Names before descriptions, what matters before the rest.
    const rank = (i: number) => (words.every((word) => this.channels[i].name.toLowerCase().includes(word)) ? 0 : 2) + (this.channels[i].main ? 0 : 1);
    this.found = this.found.sort((a, b) => rank(a) - rank(b) || a - b).slice(0, mostShown);
    this.chosen = 0;
    this.list.hidden = false;
    this.draw();
  }

  private draw() {
    this.list.replaceChildren(
      ...this.found.map((channel, i) => {
        const { name, unit, description } = this.channels[channel];
        const item = make('li', i === this.chosen ? 'chosen' : '');
        item.append(make('span', 'tick', this.isShown(channel) ? '✓' : ''), make('b', '', name), make('span', 'unit', unit === '1' ? '' : unit), make('small', '', description));
        item.addEventListener('pointerdown', (event) => {
          event.preventDefault();
          this.toggle(channel);
          this.draw();
        });
        return item;
      }),
    );
    if (this.found.length === 0) this.list.append(make('li', 'none', 'no channel has all of these words'));
    this.list.children[this.chosen]?.scrollIntoView({ block: 'nearest' });
  }
}
