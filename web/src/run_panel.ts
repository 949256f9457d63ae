// How the run goes on: pause, pace, phases, and in words how it is doing.
import { button, checkbox, make, select } from './dom';
import type { Ended, LiveLink, LiveState, PhaseStatus } from './live_link';
import { clockText, readable } from './units';

const factors: [string, string][] = [...[0.25, 0.5, 1, 2, 5, 10].map((f): [string, string] => [String(f), `${f} ×`]), ['0', 'max']];
const lateFrom = 0.1; // s: below, nobody sees it

const statusText: Record<PhaseStatus, string> = { waiting: 'waits', running: '▶ runs', stopping: '◼ stops', done: '✓ done', failed: '✗ failed' };

export class RunPanel {
  readonly element = make('fieldset', 'run');
  readonly state = make('div', 'live-state');
  private readonly phaseList = make('ol', 'phases');
  private readonly phaseRows: { status: HTMLElement; begin: HTMLButtonElement }[];
  private readonly automatic: HTMLInputElement;
  private readonly pauseButton: HTMLButtonElement;
  private readonly tickButton: HTMLButtonElement;
  private readonly factor: HTMLSelectElement;
  private readonly lines = { time: make('b'), pace: make('span'), controller: make('span') };
  private paused = false;

  constructor(
    private readonly link: LiveLink,
    phases: { name: string }[],
    stop: () => void,
  ) {
    this.pauseButton = button('pause', 'pause and go on (space)', () => this.pause());
    this.tickButton = button('tick', 'one tick while it is paused', () => link.send({ ticks: 1 }));
    this.factor = select('times real time', factors, (value) => link.send({ factor: Number(value) }));
    this.factor.value = '1';
    const stopButton = button('STOP', 'all levers to zero (x or Escape)', stop);
    stopButton.className = 'stop';
    const pace = make('div', 'line');
    pace.append(
      this.pauseButton,
      this.tickButton,
      this.factor,
      button('reset', 'end this run, keep its result, begin anew', () => link.send({ reset: true })),
      this.sure('end', 'end the run and the program; result, report and replay file are written', () => link.send({ end: true })),
    );
    const automatic = checkbox('automatic', 'phases begin by themselves, as the file says', false, (on) => link.send({ automatic: on }));
    this.automatic = automatic.querySelector('input')!;
    this.phaseRows = phases.map(({ name }) => {
      const row = make('li');
      const status = make('span', 'soft');
      const begin = button('begin', `begin ${name} now`, () => link.send({ phase: name }));
      begin.hidden = true;
      row.append(make('b', '', name), status, begin);
      this.phaseList.append(row);
      return { status, begin };
    });
    this.element.append(stopButton, pace);
    if (phases.length > 0) {
      const head = make('div', 'line');
      head.append(make('b', '', 'Phases'), automatic);
      this.element.append(head, this.phaseList);
    }
    this.state.append(this.lines.time, this.lines.pace, this.lines.controller);
    this.state.setAttribute('role', 'status');
  }

  // Asks by its own words before it acts: a second press within three seconds.
  private sure(text: string, title: string, act: () => void): HTMLButtonElement {
    let timer = 0;
    const made = button(text, title, () => {
      clearTimeout(timer);
      if (made.textContent !== text) {
        made.textContent = text;
        act();
        return;
      }
      made.textContent = `${text}: sure?`;
      timer = window.setTimeout(() => (made.textContent = text), 3000);
    });
    return made;
  }

  pause() {
    this.link.send({ pause: !this.paused });
  }

  show(state: LiveState) {
    this.paused = state.paused;
    this.pauseButton.textContent = state.paused ? 'go on' : 'pause';
    this.tickButton.disabled = !state.paused;
    if (document.activeElement !== this.factor) this.factor.value = String(state.factor);
    this.automatic.checked = state.automatic;
    this.phaseRows.forEach(({ status, begin }, i) => {
      status.textContent = statusText[state.phases[i]] ?? state.phases[i] ?? '';
      begin.hidden = state.phases[i] !== 'waiting';
    });
    this.lines.time.textContent = clockText(state.t);
    const late = !state.paused && state.late > lateFrom;
    this.lines.pace.textContent = state.paused
      ? 'paused'
      : late
        ? `${readable(state.achieved)} × real time: ${readable(state.late)} s late, this machine cannot keep up`
        : `${readable(state.achieved)} × real time${state.factor === 0 ? ', as fast as it can' : ', keeps up'}`;
    this.lines.pace.classList.toggle('bad', late);
    const { controller } = state;
    this.lines.controller.hidden = !controller;
    if (!controller) return;
    this.lines.controller.textContent = `controller ${controller.mode}: ${controller.missed === 0 ? 'no deadline missed' : `${controller.missed} deadlines missed`}, answers in ${readable(1000 * controller.round_trip)} ms`;
    this.lines.controller.classList.toggle('bad', controller.missed > 0);
  }
}

// What became of a run and where it is.
export function endedNotice({ run, status, text, folder, replay }: Ended): HTMLElement {
  const notice = make('div', 'ended');
  notice.append(make('b', '', `Run ${run} has ended: ${status}`), button('✕', 'put this away', () => notice.remove()));
  if (text) notice.append(make('p', '', text));
  const places = make('dl');
  for (const [what, where] of [['result', `${folder}/result.h5`], ['report', `${folder}/report.html`], ['replay', replay]]) {
    if (where) places.append(make('dt', '', what), make('dd', '', where));
  }
  notice.append(places);
  return notice;
}
