// Whether a binary glTF can be read by somebody else's reader: node test/gltf.mjs FILE.glb
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { AnimationMixer, Box3, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const bytes = await readFile(process.argv[2]);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new GLTFLoader().parseAsync(buffer, '');
const [clip] = gltf.animations;
assert.ok(clip.tracks.length > 3 && clip.duration > 1);
const mixer = new AnimationMixer(gltf.scene);
mixer.clipAction(clip).play();
const places = [0, clip.duration / 2].map((t) => {
  mixer.setTime(t);
  gltf.scene.updateMatrixWorld(true);
  return new Box3().setFromObject(gltf.scene).getSize(new Vector3());
});
assert.ok(places.every((size) => [size.x, size.y, size.z].every((x) => Number.isFinite(x) && x > 0.1)));
console.log(`${process.argv[2]}: ${clip.tracks.length} tracks of ${clip.duration.toFixed(1)} s, ${places.map((s) => s.toArray().map((x) => x.toFixed(1)).join(' x ')).join(', then ')} m`);
