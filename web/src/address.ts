// Time, view, curves and window are in the address, so that a link leads to what one sees.
import type { Clock } from './clock';
import type { Plots } from './plots';
import type { ScenePanel } from './scene_panel';
import type { Channel } from './source';
import { views } from './stage';
import type { UnitSystem } from './units';

export interface Addressed {
  channels: Channel[];
  clock: Clock;
  plots: Plots;
  scene?: ScenePanel;
  units: UnitSystem;
  setUnits(units: UnitSystem): void;
}

export function remember({ channels, clock, plots, scene, units }: Addressed) {
  const state = new URLSearchParams();
  if (!clock.grows) state.set('t', clock.time.toFixed(3));
  if (scene) {
    state.set('view', scene.stage.view);
    state.set('camera', scene.stage.cameraState());
  }
  state.set('units', units);
  const { from, to } = plots.window;
  if (plots.windowIsChosen) state.set('window', `${from.toFixed(3)},${to.toFixed(3)}`);
  state.set('channels', plots.channels.map((c) => channels[c].name).join(','));
  const address = '#' + state.toString();
  // In a report the page's frame has no address of its own.
  if (address !== location.hash && location.protocol !== 'about:') history.replaceState(null, '', address);
}

export function restore(page: Addressed) {
  const { channels, clock, plots, scene } = page;
  const state = new URLSearchParams(location.hash.slice(1));
  const names = new Map(channels.map((c, i) => [c.name, i]));
  for (const name of (state.get('channels') ?? '').split(',')) {
    const c = names.get(name);
    if (c !== undefined) plots.add(c);
  }
  const units = state.get('units');
  if (units === 'si' || units === 'engineering') page.setUnits(units);
  const time = Number(state.get('t') ?? NaN);
  if (Number.isFinite(time) && !clock.grows) clock.time = time;
  const view = views.find((v) => v === state.get('view'));
  if (view) scene?.setView(view);
  const camera = state.get('camera');
  if (camera && (view === 'orbit' || view === 'follow')) scene?.stage.setCameraState(camera);
  const window = (state.get('window') ?? '').split(',').map(Number);
  if (window.length === 2 && window.every(Number.isFinite)) plots.setWindow({ from: window[0], to: window[1] });
}
