// Sheaves and drums turn as their ropes run over them: what a winch gave out at the rope's begin, less what more of it lies
// between there and the wheel. The stretch of the rope is left out: it is a small part of a turn.
import * as THREE from 'three';
import type { Frame } from './frames';
import { lengthUpTo, onWheel } from './reeving';
import type { Series } from './series';
import type { SceneDocument, Shape, Source } from './source';

export interface Wheel {
  mesh: THREE.Mesh;
  body: number;
  shape: Shape;
}

// Rope that winches gave out at the two ends of a rope up to a time.
export interface GivenOut {
  from(time: number): number;
  to(time: number): number;
}

interface Turning extends Wheel {
  line: number;
  still: THREE.Quaternion; // as it stands in its body
  given?: GivenOut;
  zero?: number; // rope that had run over it in the first frame that was seen, m
  angle: number;
}

const z = new THREE.Vector3(0, 0, 1);

export class Wheels {
  private readonly turning: Turning[] = [];

  constructor(
    wheels: Wheel[],
    scene: SceneDocument,
    private readonly objects: THREE.Group[],
  ) {
    for (const wheel of wheels) {
      const line = scene.lines.findIndex((l) => l.name === wheel.shape.rope);
      if (line < 0 || !(wheel.shape.radius! > 0)) continue;
      this.turning.push({ ...wheel, line, still: wheel.mesh.quaternion.clone(), angle: 0 });
    }
  }

  // Wheels of a rope turn from now on; before, nobody knows what its winches do.
  know(line: number, given: GivenOut) {
    for (const wheel of this.turning) if (wheel.line === line) wheel.given = given;
  }

  // Whether it turns, for words beside it.
  turns(mesh: THREE.Object3D): boolean {
    return this.turning.some((wheel) => wheel.mesh === mesh && wheel.given !== undefined);
  }

  // A run that begins anew.
  restart() {
    for (const wheel of this.turning) wheel.zero = undefined;
  }

  centre(wheel: Wheel, to: THREE.Vector3): THREE.Vector3 {
    const object = this.objects[wheel.body];
    return object ? to.copy(wheel.mesh.position).applyQuaternion(object.quaternion).add(object.position) : to.copy(wheel.mesh.position);
  }

  get all(): readonly Turning[] {
    return this.turning;
  }

  // How much rope has run over it, where that is known.
  private ran(wheel: Turning, frame: Frame): number | undefined {
    if (!wheel.given) return undefined;
    const line = frame.lines[wheel.line];
    const touch = onWheel(line, this.centre(wheel, at), wheel.shape.radius!);
    if (!touch) return undefined;
    // A rope that ends on a drum is given out as the drum turns back.
    if (touch.last === line.tension.length - 1 && touch.first > 0) return -wheel.given.to(frame.time);
    return wheel.given.from(frame.time) - lengthUpTo(line, touch.first);
  }

  update(frame: Frame) {
    for (const wheel of this.turning) {
      const ran = this.ran(wheel, frame);
      if (ran === undefined || !Number.isFinite(ran)) continue;
      wheel.zero ??= ran;
      wheel.angle = (ran - wheel.zero) / wheel.shape.radius!;
      wheel.mesh.quaternion.copy(wheel.still).multiply(turn.setFromAxisAngle(z, wheel.angle));
    }
  }
}
const at = new THREE.Vector3();
const turn = new THREE.Quaternion();

// Of every rope whose winches the scene names and whose rope given out was recorded.
export async function learnGivenOut(wheels: Wheels, { meta }: Source, series: Series): Promise<void> {
  const index = new Map(meta.channels.map((c, i) => [c.name, i]));
  for (const [l, line] of meta.scene!.lines.entries()) {
    const winches = line.winches;
    if (!winches || winches.some(({ name }) => !index.has(`${name}.paid_out`))) continue;
    const samplers = await Promise.all(winches.map(async ({ name, end }) => ({ end, sample: await series.smooth(index.get(`${name}.paid_out`)!) })));
    const at = (which: 'from' | 'to') => (time: number) => samplers.reduce((sum, { end, sample }) => (end === which ? sum + sample(time) : sum), 0);
    wheels.know(l, { from: at('from'), to: at('to') });
  }
}
