// The side of the page from which a live run is driven.
import { button, make } from './dom';
import { GamepadInput } from './gamepad';
import { isTyping } from './keys';
import { LeverPanel } from './lever_panel';
import { Levers } from './levers';
import type { Message } from './live_link';
import type { LiveSource } from './live_source';
import { endedNotice, RunPanel } from './run_panel';
import { metaOf, type Meta } from './source';
import { Track } from './track';
import type { Viewer } from './viewer';

// What a page was made for: another program on the same port needs another page.
const likeness = ({ title, created, channels, live }: Meta) => JSON.stringify([title, created, channels.map((c) => c.name), live?.levers.map((l) => l.name)]);

export class LivePanel {
  private readonly element = make('section', 'live');
  private readonly notice = make('div', 'notice');
  private readonly past = make('div', 'past');
  private readonly levers: Levers;
  private readonly panel: LeverPanel;
  private readonly run: RunPanel;
  private readonly pad: GamepadInput;
  private readonly likeness: string;
  private readonly seaHeight = new Track(1);
  private readonly seaLever: number;
  private ended = false;
  private wasConnected = false;

  constructor(
    private readonly source: LiveSource,
    viewer: Viewer,
  ) {
    const { link, meta } = source;
    const live = meta.live!;
    this.likeness = likeness(meta);
    this.levers = new Levers(live.levers, (command) => link.send(command));
    this.panel = new LeverPanel(this.levers);
    const stop = () => this.levers.stop();
    this.run = new RunPanel(link, live.phases, stop);
    this.pad = new GamepadInput(this.levers, this.panel.driven, { pause: () => this.run.pause(), stop });
    this.levers.onRelease = () => {
      this.panel.release();
      this.pad.release();
    };
    this.notice.setAttribute('role', 'alert');
    this.element.append(this.run.state, this.run.element, this.panel.element, this.pad.element);
    // Over the scene: what appears must not move the levers under somebody's hand.
    const notices = make('div', 'notices');
    notices.append(this.notice, this.past);
    viewer.stageBox.append(notices);
    viewer.main.classList.add('with-live');
    viewer.main.prepend(this.element);
    this.panel.setUnits(viewer.units);
    viewer.onUnits.push((units) => this.panel.setUnits(units));
    viewer.onTick.push(() => {
      if (link.connected && !this.ended && document.hasFocus()) this.pad.look();
      this.panel.follow();
    });
    viewer.pause = () => this.run.pause();
    this.seaLever = live.levers.findIndex(({ name }) => name === 'sea.height');
    const { sea } = viewer.scene?.stage ?? {};
    if (sea) sea.height = (time) => this.seaHeight.at(time);
    source.growth.onRestart(() => this.seaHeight.clear());
    this.explainKeys(viewer);
    this.watch(stop);
    link.onMessage((message) => this.hear(message));
    link.onChange(() => this.lineChanged());
    this.say('Connecting …');
    this.enable();
    link.open();
  }

  private explainKeys({ keys }: Viewer) {
    for (const { keys: pair, lever } of this.panel.pairs) keys.explain(pair, `${lever} up, down, while held`);
    keys.explain('x, esc', 'all levers to zero');
  }

  // Nobody drives who does not look.
  private watch(stop: () => void) {
    addEventListener('blur', () => this.levers.release());
    document.addEventListener('visibilitychange', () => document.hidden && this.levers.release());
    addEventListener('pagehide', () => this.levers.release());
    addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === 'Escape' || event.key.toLowerCase() === 'x') stop();
    });
  }

  // A run that has ended can be begun anew as long as the program is there.
  private enable() {
    const { connected } = this.source.link;
    this.run.element.disabled = !connected;
    this.run.state.classList.toggle('stale', !connected);
    this.panel.element.disabled = !connected || this.ended;
  }

  private say(words: string, bad = false) {
    this.notice.className = bad ? 'notice bad' : 'notice';
    this.notice.textContent = words;
    this.notice.hidden = words === '';
  }

  private lineChanged() {
    const { link } = this.source;
    if (link.connected) {
      if (this.wasConnected) void this.reloadForAnother();
      this.wasConnected = true;
      this.say('');
      this.enable();
      return;
    }
    this.levers.forget();
    this.enable();
    if (this.ended) {
      this.say('The program has ended. What was recorded last can still be looked at here.');
      link.close();
    } else
      this.say(`${this.wasConnected ? 'The connection to the program is lost' : 'The program cannot be reached'}: the levers do nothing. It is tried again; if the program has ended, start it with davit live.`, true);
  }

  // The program may be another one by now; one that does not say is asked again when the line is found again.
  private async reloadForAnother() {
    const meta = await metaOf('api/').catch(() => undefined);
    if (meta && likeness(meta) !== this.likeness) location.reload();
  }

  private hear({ began, state, ended, error }: Message) {
    if (began) {
      this.ended = false;
      this.levers.forget();
      this.enable();
      this.say('');
    }
    if (state) {
      this.run.show(state);
      this.panel.show(state);
      if (this.seaLever >= 0) this.seaHeight.add(state.t, state.levers[this.seaLever][0]);
    }
    if (ended) {
      this.ended = true;
      this.levers.forget();
      this.past.prepend(endedNotice(ended));
      this.enable();
    }
    if (error) {
      this.say(error, true);
      this.notice.append(button('✕', 'put this message away', () => this.say('')));
    }
  }
}
