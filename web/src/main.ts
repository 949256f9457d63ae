// Opens what the page is about and shows it.
import { LivePanel } from './live_panel';
import { LiveSource } from './live_source';
import { openOther, openSource } from './open';
import type { Source } from './source';
import './style.css';
import { Viewer } from './viewer';

async function sceneOf(source: Source) {
  if (!source.meta.scene || (source.meta.frames === 0 && !source.growth)) return {};
  const [frames, meshes] = await Promise.all([source.openFrames(), source.meshes()]);
  if (frames.count > 0) await frames.fetch(0);
  return { frames, meshes };
}

async function begin() {
  const source = await openSource();
  document.title = source.meta.title;
  const { frames, meshes } = await sceneOf(source);
  const viewer = new Viewer(source, frames, meshes);
  if (source instanceof LiveSource) new LivePanel(source, viewer);
  if (!source.meta.compared) return;
  const other = await openOther();
  const seen = await sceneOf(other);
  viewer.compareWith(other, seen.frames, seen.meshes);
}

begin().catch((error: unknown) => {
  const root = document.getElementById('davit');
  if (root) root.textContent = `This result cannot be shown: ${String(error)}`;
  throw error;
});
