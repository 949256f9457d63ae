// Ropes and mooring lines as tubes coloured by tension, and the places where they touch.
import * as THREE from 'three';
import { slackColour, slipsColour, sticksColour, tensionColour } from './colours';
import { flagGap, flagSlips, flagSticks, type Frame } from './frames';
import type { SceneDocument } from './source';

const mostPieces = 20000;
const mostContacts = 2000;
const up = new THREE.Vector3(0, 1, 0);
// Read once: reading a colour's name takes as long as placing a piece.
const slack = new THREE.Color(slackColour);
const slips = new THREE.Color(slipsColour);
const sticks = new THREE.Color(sticksColour);

export type TensionMeasure = 'tension' | 'utilisation';

export class Ropes {
  readonly group = new THREE.Group();
  readonly tubes: THREE.InstancedMesh;
  private readonly contacts: THREE.InstancedMesh;
  private readonly pieceOf: { line: number; tension: number }[] = [];
  private readonly contactOf: { line: number; slips: boolean }[] = [];
  largest = 1; // of tensions, for the scale of colours
  measure: TensionMeasure = 'tension';
  thickness = 1;

  constructor(
    private readonly lines: SceneDocument['lines'],
    private readonly size: number,
  ) {
    const tube = new THREE.CylinderGeometry(1, 1, 1, 8, 1, true);
    this.tubes = new THREE.InstancedMesh(tube, new THREE.MeshLambertMaterial(), mostPieces);
    this.tubes.castShadow = true;
    this.contacts = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 12, 8), new THREE.MeshLambertMaterial(), mostContacts);
    for (const mesh of [this.tubes, this.contacts]) {
      mesh.frustumCulled = false;
      mesh.count = 0;
      this.group.add(mesh);
    }
    // Colours exist before the first frame, so that the material knows of them.
    this.tubes.setColorAt(0, new THREE.Color());
    this.contacts.setColorAt(0, new THREE.Color());
  }

  get canShowUtilisation() {
    return this.lines.some((line) => line.mbl !== undefined);
  }

  private share(line: number, tension: number): number {
    const mbl = this.lines[line].mbl;
    return this.measure === 'utilisation' ? (mbl ? tension / mbl : 0) : tension / this.largest;
  }

  update(frame: Frame, camera: THREE.Camera) {
    const a = new THREE.Vector3();
    const b = new THREE.Vector3();
    const along = new THREE.Vector3();
    const middle = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const scale = new THREE.Vector3();
    const matrix = new THREE.Matrix4();
    const colour = new THREE.Color();
    let pieces = 0;
    let touches = 0;
    frame.lines.forEach((line, l) => {
      const mooring = this.lines[l].kind === 'mooring';
      for (let i = 0; i < line.tension.length; ++i) {
        a.fromArray(line.at, 3 * i);
        if (line.flags[i] & (flagSticks | flagSlips) && touches < mostContacts) {
          const moves = (line.flags[i] & flagSlips) !== 0;
          const r = Math.max(0.004 * this.size, 0.004 * a.distanceTo(camera.position));
          matrix.compose(a, turn.identity(), scale.setScalar(r));
          this.contacts.setMatrixAt(touches, matrix);
          this.contacts.setColorAt(touches, moves ? slips : sticks);
          this.contactOf[touches++] = { line: l, slips: moves };
        }
        if (i + 1 >= line.tension.length || line.flags[i] & flagGap || pieces >= mostPieces) continue;
        b.fromArray(line.at, 3 * (i + 1));
        along.subVectors(b, a);
        const length = along.length();
        if (length < 1e-6) continue;
        middle.addVectors(a, b).multiplyScalar(0.5);
        turn.setFromUnitVectors(up, along.divideScalar(length));
        // Never thinner than a pixel or two, wherever one looks from.
        const far = Math.min(a.distanceTo(camera.position), b.distanceTo(camera.position), middle.distanceTo(camera.position));
        const radius = this.thickness * Math.max((mooring ? 0.0006 : 0.0009) * this.size, 0.0011 * far);
        matrix.compose(middle, turn, scale.set(radius, length, radius));
        this.tubes.setMatrixAt(pieces, matrix);
        const t = line.tension[i];
        if (t <= 0) colour.copy(slack);
        else tensionColour(this.share(l, t), colour);
        this.tubes.setColorAt(pieces, colour);
        this.pieceOf[pieces++] = { line: l, tension: t };
      }
    });
    this.tubes.count = pieces;
    this.contacts.count = touches;
    this.tubes.instanceMatrix.needsUpdate = true;
    this.contacts.instanceMatrix.needsUpdate = true;
    if (this.tubes.instanceColor) this.tubes.instanceColor.needsUpdate = true;
    if (this.contacts.instanceColor) this.contacts.instanceColor.needsUpdate = true;
    this.tubes.boundingSphere = null;
    this.contacts.boundingSphere = null;
  }

  // What is under the pointer, in words.
  describe(hit: THREE.Intersection, force: (newton: number) => string): string | undefined {
    if (hit.instanceId === undefined) return undefined;
    if (hit.object === this.tubes) {
      const piece = this.pieceOf[hit.instanceId];
      const line = this.lines[piece.line];
      const use = line.mbl ? `, ${((100 * piece.tension) / line.mbl).toFixed(1)} % of its MBL` : '';
      return `${line.name}: ${piece.tension > 0 ? force(piece.tension) + use : 'slack'}`;
    }
    if (hit.object === this.contacts) {
      const contact = this.contactOf[hit.instanceId];
      return `${this.lines[contact.line].name} ${contact.slips ? 'slips' : 'sticks'} here`;
    }
    return undefined;
  }

  get hoverable(): THREE.Object3D[] {
    return [this.tubes, this.contacts];
  }
}
