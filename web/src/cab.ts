// What the driver sees: from beside the boom's foot, on what slews, to the load.
import * as THREE from 'three';
import type { Bodies } from './bodies';
import type { SceneDocument } from './source';

export interface Cab {
  house: number; // what slews, and rolls with the vessel
  boom: number;
  length: number; // of the boom, as far as is known
}

// The heaviest boom that stands on another body; nothing where none is called so.
export function cabOf(scene: SceneDocument): Cab | undefined {
  let best: Cab | undefined;
  let most = -1;
  scene.bodies.forEach((body, boom) => {
    const house = scene.bodies.findIndex((b) => b.name === body.on);
    if (house < 0 || !/boom|jib/i.test(body.name) || (body.mass ?? 0) <= most) return;
    most = body.mass ?? 0;
    const reaches = [...Object.values(body.points ?? {}), body.centre ?? [0, 0, 0]].map((p) => Math.hypot(...p));
    best = { house, boom, length: Math.max(...reaches) };
  });
  return best && best.length > 0 ? best : undefined;
}

// To the right of the boom as the driver looks along it, and a little above its foot.
export function sitInCab({ house, boom, length }: Cab, bodies: Bodies, load: number, camera: THREE.Camera) {
  const foot = bodies.objects[boom].position;
  const up = new THREE.Vector3(0, 0, 1).applyQuaternion(bodies.objects[house].quaternion);
  const along = bodies.centre(boom, new THREE.Vector3()).sub(foot);
  along.addScaledVector(up, -along.dot(up)).normalize();
  const right = new THREE.Vector3().crossVectors(along, up);
  // Outside of whatever stands there.
  const wide = bodies.reach(house, right) - right.dot(foot.clone().sub(bodies.objects[house].position));
  camera.up.copy(up);
  camera.position.copy(foot).addScaledVector(right, Math.max(wide, 0) + 0.05 * length).addScaledVector(up, 0.05 * length);
  camera.lookAt(bodies.centre(load, new THREE.Vector3()));
}
