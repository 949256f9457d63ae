// Which kind of source a page has.
import { LiveSource } from './live_source';
import { Embedded, metaOf, Served, type Source } from './source';

const embedded = () => document.getElementById('davit-meta') !== null;

export async function openSource(): Promise<Source> {
  if (embedded()) return Embedded.open('davit-');
  const meta = await metaOf('api/');
  return meta.live ? new LiveSource(meta) : new Served(meta, 'api/');
}

// What it is compared with.
export async function openOther(): Promise<Source> {
  return embedded() ? Embedded.open('davit-other-') : new Served(await metaOf('other/'), 'other/');
}
