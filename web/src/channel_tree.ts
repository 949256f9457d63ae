// Channels by what they belong to: parts, bodies and elements, and under each the kinds of its channels. Arrow keys walk,
// open and close; Enter or space shows and takes away.
import { make } from './dom';
import type { Channel } from './source';

interface Node {
  name: string;
  depth: number;
  children: Node[];
  open: boolean;
  parent?: Node;
  channel?: number;
}

// `crane/hook/falls.from.Fx`: crane, hook, falls, then the channel. Where an element has many, they are put by their first
// word: `from.Fx` under `from`.
const many = 8;

export function treeOf(channels: Channel[]): Node {
  const root: Node = { name: '', depth: -1, children: [], open: true };
  const child = (of: Node, name: string): Node => {
    let found = of.children.find((node) => node.channel === undefined && node.name === name);
    if (!found) of.children.push((found = { name, depth: of.depth + 1, children: [], open: false, parent: of }));
    return found;
  };
  const element = (name: string) => (name.includes('.') ? name.slice(0, name.indexOf('.')) : name);
  const counts = new Map<string, number>();
  for (const { name } of channels) counts.set(element(name), (counts.get(element(name)) ?? 0) + 1);
  channels.forEach(({ name }, channel) => {
    let at = root;
    for (const part of element(name).split('/')) at = child(at, part);
    let rest = name.slice(element(name).length + 1) || name;
    if ((counts.get(element(name)) ?? 0) > many && rest.includes('.')) {
      at = child(at, rest.slice(0, rest.indexOf('.')));
      rest = rest.slice(rest.indexOf('.') + 1);
    }
    at.children.push({ name: rest, depth: at.depth + 1, children: [], open: false, parent: at, channel });
  });
  return root;
}

export class ChannelTree {
  readonly element = make('ul', 'tree');
  private readonly root: Node;
  private rows: Node[] = [];
  private current = 0;

  constructor(
    private readonly channels: Channel[],
    private readonly isShown: (channel: number) => boolean,
    private readonly toggle: (channel: number) => void,
  ) {
    this.root = treeOf(channels);
    this.element.setAttribute('role', 'tree');
    this.element.setAttribute('aria-label', 'channels by what they belong to');
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.element.addEventListener('click', (event) => {
      const row = (event.target as HTMLElement).closest('li');
      if (!row) return;
      this.current = [...this.element.children].indexOf(row);
      this.act();
    });
  }

  show(on: boolean) {
    this.element.hidden = !on;
    if (!on) return;
    this.draw();
    this.focus();
  }

  private focus() {
    (this.element.children[this.current] as HTMLElement | undefined)?.focus();
  }

  private act() {
    const node = this.rows[this.current];
    if (node.channel !== undefined) this.toggle(node.channel);
    else node.open = !node.open;
    this.draw();
    this.focus();
  }

  private key(event: KeyboardEvent) {
    const node = this.rows[this.current];
    const go = (to: number) => (this.current = Math.min(Math.max(to, 0), this.rows.length - 1));
    switch (event.key) {
      case 'ArrowDown':
        go(this.current + 1);
        break;
      case 'ArrowUp':
        go(this.current - 1);
        break;
      case 'Home':
        go(0);
        break;
      case 'End':
        go(this.rows.length - 1);
        break;
      case 'ArrowRight':
        if (node.channel === undefined && !node.open) node.open = true;
        else if (node.channel === undefined) go(this.current + 1);
        break;
      case 'ArrowLeft':
        if (node.open) node.open = false;
        else if (node.parent && node.parent !== this.root) go(this.rows.indexOf(node.parent));
        break;
      case 'Enter':
      case ' ':
        this.act();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.draw();
    this.focus();
  }

  private draw() {
    this.rows = [];
    const walk = (node: Node) => {
      for (const next of node.children) {
        this.rows.push(next);
        if (next.open) walk(next);
      }
    };
    walk(this.root);
    this.current = Math.min(this.current, this.rows.length - 1);
    this.element.replaceChildren(
      ...this.rows.map((node, i) => {
        const row = make('li');
        row.setAttribute('role', 'treeitem');
        row.setAttribute('aria-level', String(node.depth + 1));
        row.tabIndex = i === this.current ? 0 : -1;
        row.style.paddingLeft = `${8 + 14 * node.depth}px`;
        if (node.channel === undefined) {
          row.setAttribute('aria-expanded', String(node.open));
          row.append(make('span', 'tick', node.open ? '▾' : '▸'), make('b', '', node.name));
        } else {
          const { unit, description } = this.channels[node.channel];
          const shown = this.isShown(node.channel);
          row.setAttribute('aria-selected', String(shown));
          row.append(make('span', 'tick', shown ? '✓' : ''), node.name, make('span', 'unit', unit === '1' ? '' : unit), make('small', '', description));
        }
        return row;
      }),
    );
  }
}
