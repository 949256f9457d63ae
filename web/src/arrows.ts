// Forces as arrows: weights, what ropes pull at their ends, and reactions of joints where they were recorded.
import * as THREE from 'three';
import type { Bodies } from './bodies';
import { flagGap, type Frame } from './frames';
import type { SceneDocument } from './source';

export interface Reaction {
  body: number;
  // Force on the body in its own axes at a time, or nothing while it is fetched.
  force(time: number, to: THREE.Vector3): boolean;
}

const most = 600;
const up = new THREE.Vector3(0, 1, 0);
export const arrowColours = { weight: '#7f7f7f', rope: '#e69f00', reaction: '#cc79a7' };

export class Arrows {
  readonly group = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private readonly said: string[] = [];
  reactions: Reaction[] = [];
  scale = 1; // m per N, times what fits the scene
  perNewton = 1e-5;

  constructor(
    private readonly scene: SceneDocument,
    private readonly size: number,
  ) {
    this.shafts = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 10), new THREE.MeshLambertMaterial(), most);
    this.heads = new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 14), new THREE.MeshLambertMaterial(), most);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.setColorAt(0, new THREE.Color());
      mesh.count = 0;
      this.group.add(mesh);
    }
    this.group.visible = false;
  }

  // The largest force that is shown is a fifth of the scene long.
  fit(largest: number) {
    this.perNewton = largest > 0 ? (0.2 * this.size) / largest : 1e-5;
  }

  update(frame: Frame, bodies: Bodies, camera: THREE.Camera, force: (newton: number) => string) {
    if (!this.group.visible) return;
    let count = 0;
    const at = new THREE.Vector3();
    const f = new THREE.Vector3();
    const direction = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const matrix = new THREE.Matrix4();
    const middle = new THREE.Vector3();
    const colour = new THREE.Color();
    const add = (from: THREE.Vector3, vector: THREE.Vector3, of: string, kind: keyof typeof arrowColours) => {
      const newton = vector.length();
      const length = newton * this.perNewton * this.scale;
      if (count >= most || length < 0.002 * this.size) return;
      const thick = Math.min(0.002 * this.size, 0.0028 * from.distanceTo(camera.position));
      const head = Math.min(0.4 * length, 9 * thick);
      direction.copy(vector).divideScalar(newton);
      turn.setFromUnitVectors(up, direction);
      middle.copy(from).addScaledVector(direction, (length - head) / 2);
      matrix.compose(middle, turn, new THREE.Vector3(thick, length - head, thick));
      this.shafts.setMatrixAt(count, matrix);
      middle.copy(from).addScaledVector(direction, length - head / 2);
      matrix.compose(middle, turn, new THREE.Vector3(2.6 * thick, head, 2.6 * thick));
      this.heads.setMatrixAt(count, matrix);
      colour.set(arrowColours[kind]);
      this.shafts.setColorAt(count, colour);
      this.heads.setColorAt(count, colour);
      this.said[count++] = `${of}: ${force(newton)}`;
    };
    this.scene.bodies.forEach((body, b) => {
      if (!body.mass || body.shapes.some((shape) => shape.role === 'hull')) return;
      add(bodies.centre(b, at), f.set(0, 0, -body.mass * this.scene.gravity), `weight of ${body.name}`, 'weight');
    });
    frame.lines.forEach((line, l) => {
      const n = line.tension.length;
      const end = (i: number, j: number, tension: number) => {
        if (tension <= 0) return;
        at.fromArray(line.at, 3 * i);
        f.fromArray(line.at, 3 * j).sub(at).setLength(tension);
        add(at, f, `${this.scene.lines[l].name} pulls`, 'rope');
      };
      for (let i = 0; i + 1 < n; ++i) {
        if (line.flags[i] & flagGap) continue;
        if (i === 0 || line.flags[i - 1] & flagGap) end(i, i + 1, line.tension[i]);
        if (i + 2 === n || line.flags[i + 1] & flagGap) end(i + 1, i, line.tension[i]);
      }
    });
    for (const reaction of this.reactions) {
      if (!reaction.force(frame.time, f)) continue;
      const object = bodies.objects[reaction.body];
      add(at.copy(object.position), f.applyQuaternion(object.quaternion), `joint of ${this.scene.bodies[reaction.body].name}`, 'reaction');
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  describe(hit: THREE.Intersection): string | undefined {
    return hit.object === this.shafts || hit.object === this.heads ? this.said[hit.instanceId ?? -1] : undefined;
  }

  get hoverable(): THREE.Object3D[] {
    return this.group.visible ? [this.shafts, this.heads] : [];
  }
}
