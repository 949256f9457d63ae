// Forces as arrows: weights, what ropes pull at their ends and press where they run over something, and what was recorded
// of joints and contacts.
import * as THREE from 'three';
import type { Bodies } from './bodies';
import { flagGap, flagSlips, flagSticks, type Frame, type Line } from './frames';
import type { RecordedForce } from './recorded_forces';
import { forceOver, onWheel } from './reeving';
import type { SceneDocument } from './source';
import type { Wheels } from './wheels';

const most = 600;
const up = new THREE.Vector3(0, 1, 0);
export const arrowColours = { weight: '#7f7f7f', rope: '#e69f00', reaction: '#cc79a7', contact: '#009e73' };
export type ArrowKind = keyof typeof arrowColours;
const paints = Object.fromEntries(Object.entries(arrowColours).map(([kind, colour]) => [kind, new THREE.Color(colour)])) as Record<ArrowKind, THREE.Color>;
type Add = (from: THREE.Vector3, vector: THREE.Vector3, of: string, kind: ArrowKind) => void;

// That is shown: hulls float, and what they weigh would dwarf all else.
export const weightOf = (body: SceneDocument['bodies'][number], scene: SceneDocument): number =>
  body.weightless || body.shapes.some((shape) => shape.role === 'hull') ? 0 : (body.mass ?? 0) * scene.gravity;

export class Arrows {
  readonly group = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private readonly said: string[] = [];
  recorded: RecordedForce[] = [];
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
      // Seen through bodies: what presses on one from below is drawn inside it.
      (mesh.material as THREE.Material).depthTest = false;
      mesh.renderOrder = 5;
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

  update(frame: Frame, bodies: Bodies, wheels: Wheels, camera: THREE.Camera, force: (newton: number) => string) {
    if (!this.group.visible) return;
    let count = 0;
    const direction = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const matrix = new THREE.Matrix4();
    const middle = new THREE.Vector3();
    const size = new THREE.Vector3();
    const add: Add = (from, vector, of, kind) => {
      const newton = vector.length();
      const length = newton * this.perNewton * this.scale;
      if (count >= most || !(length >= 0.002 * this.size)) return;
      const thick = Math.min(0.002 * this.size, 0.0028 * from.distanceTo(camera.position));
      const head = Math.min(0.4 * length, 9 * thick);
      direction.copy(vector).divideScalar(newton);
      turn.setFromUnitVectors(up, direction);
      middle.copy(from).addScaledVector(direction, (length - head) / 2);
      matrix.compose(middle, turn, size.set(thick, length - head, thick));
      this.shafts.setMatrixAt(count, matrix);
      middle.copy(from).addScaledVector(direction, length - head / 2);
      matrix.compose(middle, turn, size.set(2.6 * thick, head, 2.6 * thick));
      this.heads.setMatrixAt(count, matrix);
      this.shafts.setColorAt(count, paints[kind]);
      this.heads.setColorAt(count, paints[kind]);
      this.said[count++] = `${of}: ${force(newton)}`;
    };
    this.addWeights(bodies, add);
    frame.lines.forEach((line, l) => this.addEnds(line, this.scene.lines[l].name, add));
    this.addPressing(frame, wheels, add);
    const at = new THREE.Vector3();
    const f = new THREE.Vector3();
    for (const recorded of this.recorded) {
      recorded.evaluate(frame.time, bodies, at, f);
      add(at, f, recorded.words, recorded.kind);
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  private addWeights(bodies: Bodies, add: Add) {
    const at = new THREE.Vector3();
    const f = new THREE.Vector3();
    this.scene.bodies.forEach((body, b) => {
      const weight = weightOf(body, this.scene);
      if (weight > 0) add(bodies.centre(b, at), f.set(0, 0, -weight), `weight of ${body.name}`, 'weight');
    });
  }

  private addEnds(line: Line, name: string, add: Add) {
    const at = new THREE.Vector3();
    const f = new THREE.Vector3();
    const n = line.tension.length;
    const end = (i: number, j: number, tension: number) => {
      if (tension <= 0) return;
      at.fromArray(line.at, 3 * i);
      f.fromArray(line.at, 3 * j).sub(at).setLength(tension);
      add(at, f, `${name} pulls`, 'rope');
    };
    for (let i = 0; i + 1 < n; ++i) {
      if (line.flags[i] & flagGap) continue;
      if (i === 0 || line.flags[i - 1] & flagGap) end(i, i + 1, line.tension[i]);
      if (i + 2 === n || line.flags[i + 1] & flagGap) end(i + 1, i, line.tension[i]);
    }
  }

  // Of ropes on wheels as a whole, and on edges place by place.
  private addPressing(frame: Frame, wheels: Wheels, add: Add) {
    const at = new THREE.Vector3();
    const f = new THREE.Vector3();
    const onWheels = frame.lines.map(() => new Set<number>());
    for (const wheel of wheels.all) {
      const line = frame.lines[wheel.line];
      const touch = onWheel(line, wheels.centre(wheel, at), wheel.shape.radius!);
      if (!touch || touch.first === 0 || touch.last === line.tension.length - 1) continue; // a drum: an end, which has its arrow
      for (let i = touch.first; i <= touch.last; ++i) onWheels[wheel.line].add(i);
      forceOver(line, touch, f);
      add(at, f, `${wheel.shape.rope} on ${wheel.shape.name}`, 'contact');
    }
    frame.lines.forEach((line, l) => {
      for (let i = 1; i + 1 < line.tension.length; ++i) {
        if (!(line.flags[i] & (flagSticks | flagSlips)) || onWheels[l].has(i)) continue;
        forceOver(line, { first: i, last: i }, f);
        add(at.fromArray(line.at, 3 * i), f, `${this.scene.lines[l].name} presses`, 'contact');
      }
    });
  }

  describe(hit: THREE.Intersection): string | undefined {
    return hit.object === this.shafts || hit.object === this.heads ? this.said[hit.instanceId ?? -1] : undefined;
  }

  get hoverable(): THREE.Object3D[] {
    return this.group.visible ? [this.shafts, this.heads] : [];
  }
}
