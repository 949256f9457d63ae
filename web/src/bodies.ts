// Bodies of the scene as objects of three: made once, moved by every frame.
import * as THREE from 'three';
import { bodyColours, deckColour, deckPaint, hullColour, sideColour } from './colours';
import type { Frame } from './frames';
import type { Meshes, SceneDocument, Shape } from './source';
import type { Wheel } from './wheels';

function geometryOf(shape: Shape, scene: SceneDocument, meshes: Meshes): THREE.BufferGeometry {
  switch (shape.kind) {
    case 'box':
      return new THREE.BoxGeometry(...(shape.size ?? [1, 1, 1]));
    case 'cylinder':
      return new THREE.CylinderGeometry(shape.radius, shape.radius, shape.length, 40).rotateX(Math.PI / 2);
    case 'sphere':
      return new THREE.SphereGeometry(shape.radius, 32, 20);
    case 'mesh': {
      const mesh = scene.meshes[shape.mesh ?? 0];
      const indexed = new THREE.BufferGeometry();
      indexed.setAttribute('position', new THREE.BufferAttribute(meshes.points.slice(3 * mesh.first_point, 3 * (mesh.first_point + mesh.points)), 3));
      indexed.setIndex(new THREE.BufferAttribute(meshes.triangles.slice(3 * mesh.first_triangle, 3 * (mesh.first_triangle + mesh.triangles)), 1));
      const flat = indexed.toNonIndexed(); // faces are flat: plates have edges
      if (shape.role === 'hull') return paintedHull(flat);
      flat.computeVertexNormals();
      return flat;
    }
  }
}

// A plate that stands in the world is the top of something: a quay, the ground.
function thickened(plate: THREE.BufferGeometry, by: number): THREE.BufferGeometry {
  plate.computeBoundingBox();
  const { min, max } = plate.boundingBox!;
  return new THREE.BoxGeometry(max.x - min.x, max.y - min.y, by).translate((min.x + max.x) / 2, (min.y + max.y) / 2, -by / 2);
}

// Cuts triangles in two where they cross z = 0.
function cutAtWater(at: THREE.BufferAttribute | THREE.InterleavedBufferAttribute): THREE.BufferGeometry {
  const out: number[] = [];
  const p = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  const emit = (polygon: THREE.Vector3[]) => {
    for (let i = 1; i + 1 < polygon.length; ++i) for (const v of [polygon[0], polygon[i], polygon[i + 1]]) out.push(v.x, v.y, v.z);
  };
  for (let t = 0; t < at.count; t += 3) {
    p.forEach((v, k) => v.fromBufferAttribute(at, t + k));
    if (p.every((v) => v.z >= 0) || p.every((v) => v.z <= 0)) {
      emit(p);
      continue;
    }
    for (const sign of [1, -1]) {
      const polygon: THREE.Vector3[] = [];
      p.forEach((a, k) => {
        const b = p[(k + 1) % 3];
        if (sign * a.z >= 0) polygon.push(a.clone());
        if (a.z * b.z < 0) polygon.push(a.clone().lerp(b, a.z / (a.z - b.z)));
      });
      emit(polygon);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(out, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// Antifouling below the water, a painted side above it, and a deck.
function paintedHull(flat: THREE.BufferGeometry): THREE.BufferGeometry {
  const geometry = cutAtWater(flat.getAttribute('position'));
  const at = geometry.getAttribute('position');
  const normal = geometry.getAttribute('normal');
  const colours = new Float32Array(3 * at.count);
  const below = new THREE.Color(hullColour);
  const side = new THREE.Color(sideColour);
  const deck = new THREE.Color(deckPaint);
  let highest = 0.01;
  for (let i = 0; i < at.count; ++i) highest = Math.max(highest, at.getZ(i));
  for (let i = 0; i < at.count; i += 3) {
    const z = (at.getZ(i) + at.getZ(i + 1) + at.getZ(i + 2)) / 3;
    const colour = normal.getZ(i) > 0.7 && z > 0.5 * highest ? deck : z > 0 ? side : below;
    for (let k = 0; k < 3; ++k) colour.toArray(colours, 3 * (i + k));
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  return geometry;
}

const place = (object: THREE.Object3D, p: ArrayLike<number>, at = 0) => {
  object.position.set(p[at], p[at + 1], p[at + 2]);
  object.quaternion.set(p[at + 4], p[at + 5], p[at + 6], p[at + 3]);
};

// Without them nobody sees a wheel turn.
function spokes(shape: Shape): THREE.LineSegments {
  const r = shape.radius ?? 1;
  const half = 0.502 * (shape.length ?? 0);
  const points: number[] = [];
  for (const side of [-half, half])
    for (let k = 0; k < 5; ++k) {
      const angle = (2 * Math.PI * k) / 5;
      points.push(0, 0, side, r * Math.cos(angle), r * Math.sin(angle), side);
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: '#e8e8e8' }));
}

export interface Seen {
  body: number; // -1: the world
  shape: Shape;
}

export class Bodies {
  readonly group = new THREE.Group();
  readonly objects: THREE.Group[] = [];
  readonly hoverable: THREE.Mesh[] = [];
  readonly wheels: Wheel[] = [];
  private readonly edges: THREE.LineSegments[] = [];
  triangles = 0;

  constructor(
    private readonly scene: SceneDocument,
    meshes: Meshes,
    private readonly ghost = false,
  ) {
    let next = 0;
    const vessels = new Set<number>();
    scene.bodies.forEach((body, b) => {
      const object = new THREE.Group();
      const isVessel = body.shapes.some((shape) => shape.role === 'hull');
      if (isVessel) vessels.add(b);
      const colour = body.fixed ? '#b3ada2' : isVessel ? hullColour : bodyColours[next++ % bodyColours.length];
      for (const shape of body.shapes) object.add(this.make(shape, colour, b, meshes));
      this.objects.push(object);
      this.group.add(object);
    });
    for (const shape of scene.world) this.group.add(this.make(shape, '#9a9488', -1, meshes));
  }

  private make(shape: Shape, colour: string, body: number, meshes: Meshes): THREE.Object3D {
    let geometry = geometryOf(shape, this.scene, meshes);
    const count = geometry.index ? geometry.index.count / 3 : geometry.getAttribute('position').count / 3;
    this.triangles += count;
    let plate = shape.kind === 'mesh' && count <= 2;
    if (plate && (body < 0 || this.scene.bodies[body].fixed)) {
      geometry = thickened(geometry, this.scene.sea ? 8 : 0.4);
      plate = false;
    }
    const material = new THREE.MeshStandardMaterial({
      vertexColors: shape.role === 'hull',
      color: shape.role === 'hull' ? '#ffffff' : shape.role === 'sheave' ? '#4a4a4a' : plate ? deckColour : colour,
      roughness: 0.75,
      metalness: 0.1,
      side: THREE.DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: plate ? -1 : 1,
      polygonOffsetUnits: plate ? -1 : 1,
    });
    if (this.ghost) Object.assign(material, { transparent: true, opacity: 0.3, depthWrite: false });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = !plate && !this.ghost;
    mesh.receiveShadow = true;
    mesh.userData = { body, shape } satisfies Seen;
    place(mesh, shape.pose);
    if (count < 60000) {
      const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 25), new THREE.LineBasicMaterial({ color: '#101418', transparent: true, opacity: 0.45 }));
      this.edges.push(edges);
      mesh.add(edges);
    }
    if (shape.role === 'sheave') {
      mesh.add(spokes(shape));
      this.wheels.push({ mesh, body, shape });
    }
    this.hoverable.push(mesh);
    return mesh;
  }

  update(frame: Frame) {
    this.objects.forEach((object, b) => place(object, frame.poses, 7 * b));
  }

  setTheme(dark: boolean) {
    for (const line of this.edges) (line.material as THREE.LineBasicMaterial).color.set(dark ? '#000000' : '#101418');
  }

  // The body that a lift is about: the heaviest that is no vessel and stands on nothing, or else the heaviest.
  load(): number {
    let best = -1;
    let most = -1;
    for (const needFree of [true, false]) {
      this.scene.bodies.forEach((body, b) => {
        if (body.shapes.some((shape) => shape.role === 'hull')) return;
        if (needFree && (body.weightless || (body.on && body.on !== 'world'))) return;
        if ((body.mass ?? 0) > most) {
          most = body.mass ?? 0;
          best = b;
        }
      });
      if (best >= 0) return best;
    }
    return 0;
  }

  centre(b: number, to: THREE.Vector3): THREE.Vector3 {
    const c = this.scene.bodies[b]?.centre ?? [0, 0, 0];
    const object = this.objects[b];
    return object ? to.set(c[0], c[1], c[2]).applyQuaternion(object.quaternion).add(object.position) : to.set(0, 0, 0);
  }

  // How far its shapes reach in a direction from where it is.
  reach(b: number, direction: THREE.Vector3): number {
    const object = this.objects[b];
    const corner = new THREE.Vector3();
    let most = 0;
    for (const shape of object.children) {
      const { geometry } = shape as THREE.Mesh;
      if (!geometry) continue;
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox!;
      for (let i = 0; i < 8; ++i) {
        corner.set(i & 1 ? min.x : max.x, i & 2 ? min.y : max.y, i & 4 ? min.z : max.z).applyQuaternion(shape.quaternion).add(shape.position);
        most = Math.max(most, corner.applyQuaternion(object.quaternion).dot(direction));
      }
    }
    return most;
  }

  point(b: number, name: string, to: THREE.Vector3): THREE.Vector3 {
    const p = this.scene.bodies[b]?.points?.[name] ?? [0, 0, 0];
    const object = this.objects[b];
    return to.set(p[0], p[1], p[2]).applyQuaternion(object.quaternion).add(object.position);
  }
}
