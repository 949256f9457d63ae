// The scene: light, sea, bodies, ropes, and whence it is looked at.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Arrows } from './arrows';
import { Bodies, type Seen } from './bodies';
import { cabOf, sitInCab, type Cab } from './cab';
import { curveColours } from './colours';
import type { Frame, Frames } from './frames';
import { Ropes } from './ropes';
import { Sea } from './sea';
import type { Meshes, Source } from './source';
import { readable, withUnit, type UnitSystem } from './units';
import { Wheels } from './wheels';

export type View = 'orbit' | 'follow' | 'ride' | 'top' | 'side' | 'front' | 'cab';
export const views: View[] = ['orbit', 'follow', 'ride', 'top', 'side', 'front', 'cab'];

const trailSeconds = 60;
const trailPoints = 400;

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly bodies: Bodies;
  readonly ropes: Ropes;
  readonly arrows: Arrows;
  readonly wheels: Wheels;
  readonly cab?: Cab;
  readonly sea?: Sea;
  private readonly perspective: THREE.PerspectiveCamera;
  private readonly flat: THREE.OrthographicCamera;
  private controls: OrbitControls;
  private readonly trail: THREE.Line;
  private readonly sun = new THREE.DirectionalLight('#ffffff', 2.6);
  private readonly seabed?: THREE.Mesh;
  private readonly centre = new THREE.Vector3();
  private readonly low = new THREE.Vector3();
  private readonly high = new THREE.Vector3();
  readonly size: number;
  view: View = 'orbit';
  followed: number;
  rideOn?: { body: number; point: string };
  showTrail = true;
  units: UnitSystem;
  private readonly lastCentre = new THREE.Vector3();
  private frame?: Frame;
  pageTime = 0; // ms that the page itself spent on the last frame, without drawing

  constructor(
    private readonly canvas: HTMLCanvasElement,
    readonly source: Source,
    meshes: Meshes,
    private readonly frames: Frames,
  ) {
    const document_ = source.meta.scene!;
    this.units = document_.units;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    const low = this.low.set(...document_.camera.low);
    const high = this.high.set(...document_.camera.high);
    this.size = Math.max(high.distanceTo(low), 0.1);
    this.centre.addVectors(low, high).multiplyScalar(0.5);

    this.bodies = new Bodies(document_, meshes);
    this.ropes = new Ropes(document_.lines, this.size);
    this.arrows = new Arrows(document_, this.size);
    this.wheels = new Wheels(this.bodies.wheels, document_, this.bodies.objects);
    this.scene.add(this.bodies.group, this.ropes.group, this.arrows.group);
    this.followed = this.bodies.load();
    this.cab = cabOf(document_);

    const hemisphere = new THREE.HemisphereLight('#eaf4ff', '#5b5a50', 1.5);
    this.sun.position.copy(this.centre).addScaledVector(new THREE.Vector3(-0.45, -0.55, 0.8), 1.5 * this.size);
    this.sun.target.position.copy(this.centre);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    const reach = 0.8 * this.size;
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.01 * this.size, far: 4 * this.size });
    this.sun.shadow.normalBias = 0.002 * this.size;
    this.scene.add(hemisphere, this.sun, this.sun.target);

    const far = 14 * this.size;
    if (document_.sea) {
      this.sea = new Sea(document_.sea, this.centre, far);
      this.scene.add(this.sea.mesh);
      const depth = document_.sea.depth;
      if (depth && depth < 20 * this.size) {
        this.seabed = new THREE.Mesh(new THREE.PlaneGeometry(2 * far, 2 * far, 1, 1), new THREE.MeshLambertMaterial({ color: '#8c7a58' }));
        this.seabed.position.set(this.centre.x, this.centre.y, -depth);
        const grid = new THREE.GridHelper(2 * far, 80, '#6d5f45', '#7d6d4f').rotateX(Math.PI / 2);
        grid.position.z = 0.01 * depth;
        this.seabed.add(grid);
        this.scene.add(this.seabed);
      }
    } else {
      const floor = new THREE.GridHelper(4 * this.size, 40, '#808890', '#a8b0b8').rotateX(Math.PI / 2);
      floor.position.set(this.centre.x, this.centre.y, low.z);
      this.scene.add(floor);
    }

    this.trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: curveColours[4] }));
    this.trail.frustumCulled = false;
    this.trail.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * trailPoints), 3));
    this.scene.add(this.trail);

    this.perspective = new THREE.PerspectiveCamera(40, 1, 0.003 * this.size, 30 * this.size);
    this.flat = new THREE.OrthographicCamera(-1, 1, 1, -1, -40 * this.size, 40 * this.size);
    for (const camera of [this.perspective, this.flat]) camera.up.set(0, 0, 1);
    this.controls = this.makeControls(this.perspective);
    this.setView('orbit');
  }

  private makeControls(camera: THREE.Camera): OrbitControls {
    const controls = new OrbitControls(camera as THREE.PerspectiveCamera, this.canvas);
    controls.enableDamping = false;
    controls.minDistance = 0.02 * this.size;
    controls.maxDistance = 12 * this.size;
    return controls;
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.view === 'top' || this.view === 'side' || this.view === 'front' ? this.flat : this.perspective;
  }

  setView(view: View) {
    if (view === 'cab' && !this.cab) return;
    const target = this.controls.target.clone();
    const was = this.view;
    this.view = view;
    this.controls.dispose();
    this.controls = this.makeControls(this.camera);
    this.controls.enabled = view !== 'ride' && view !== 'cab';
    this.perspective.up.set(0, 0, 1);
    this.perspective.fov = view === 'cab' ? 60 : 40;
    this.controls.enableRotate = view === 'orbit' || view === 'follow';
    if (this.camera === this.flat) {
      const direction = { top: [0, 0, 1], side: [0, -1, 0], front: [1, 0, 0] }[view as 'top' | 'side' | 'front'];
      // Looking straight down, what is up in the picture is y.
      this.flat.up.set(0, view === 'top' ? 1 : 0, view === 'top' ? 0 : 1);
      this.flat.position.copy(this.centre).addScaledVector(new THREE.Vector3(...direction), this.size);
      this.flat.zoom = 1;
      this.controls.target.copy(this.centre);
    } else if (view === 'orbit' && (was !== 'follow' || !this.frame)) {
      this.resize();
      this.showAll(new THREE.Vector3(0.75, -1.05, 0.5).normalize());
    } else if (view === 'follow') {
      this.bodies.centre(this.followed, this.lastCentre);
      const away = this.perspective.position.clone().sub(target).normalize();
      if (away.lengthSq() < 0.5) away.set(0.6, -0.75, 0.3).normalize();
      this.controls.target.copy(this.lastCentre);
      this.perspective.position.copy(this.lastCentre).addScaledVector(away, 0.45 * this.size);
    } else {
      this.controls.target.copy(target);
    }
    this.resize();
    this.controls.update();
  }

  // From a direction, as close as all of it can be seen.
  private showAll(from: THREE.Vector3) {
    const right = new THREE.Vector3().crossVectors(this.perspective.up, from).normalize();
    const up = new THREE.Vector3().crossVectors(from, right);
    const high = Math.tan((this.perspective.fov * Math.PI) / 360);
    const corner = new THREE.Vector3();
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      corner.set(i & 1 ? this.low.x : this.high.x, i & 2 ? this.low.y : this.high.y, i & 4 ? this.low.z : this.high.z).sub(this.centre);
      const needed = Math.max(Math.abs(corner.dot(right)) / (high * this.perspective.aspect), Math.abs(corner.dot(up)) / high);
      distance = Math.max(distance, needed + corner.dot(from));
    }
    this.perspective.position.copy(this.centre).addScaledVector(from, 1.08 * distance);
    this.controls.target.copy(this.centre);
  }

  cameraState(): string {
    const p = this.perspective.position;
    const t = this.controls.target;
    return [p.x, p.y, p.z, t.x, t.y, t.z].map((x) => x.toFixed(2)).join(',');
  }

  setCameraState(text: string) {
    const n = text.split(',').map(Number);
    if (n.length !== 6 || n.some((x) => !Number.isFinite(x))) return;
    this.perspective.position.set(n[0], n[1], n[2]);
    this.controls.target.set(n[3], n[4], n[5]);
    this.controls.update();
  }

  setTheme(dark: boolean) {
    const sky = new THREE.Color(dark ? '#1b232b' : '#dfeaf2');
    this.scene.background = sky;
    this.scene.fog = new THREE.Fog(sky, 3.5 * this.size, 13 * this.size);
    this.sea?.setTheme(dark);
    this.bodies.setTheme(dark);
  }

  // On slow machines: fewer pixels, then no shadows. False where nothing is left to save.
  economise(): boolean {
    if (this.economy >= 2) return false;
    if (++this.economy === 2) this.sun.castShadow = false;
    this.resize();
    return true;
  }
  private economy = 0;

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement!;
    if (w === 0 || h === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * (this.economy > 0 ? 0.6 : 1));
    this.renderer.setSize(w, h, false);
    this.perspective.aspect = w / h;
    const half = 0.55 * this.size;
    const wide = half * Math.max(w / h, 1);
    const high = half * Math.max(h / w, 1);
    Object.assign(this.flat, { left: -wide, right: wide, top: high, bottom: -high });
    this.perspective.updateProjectionMatrix();
    this.flat.updateProjectionMatrix();
  }

  // Another run of the like, seen through.
  addGhost(other: Source, meshes: Meshes, frames: Frames) {
    const bodies = new Bodies(other.meta.scene!, meshes, true);
    this.scene.add(bodies.group);
    this.ghost = { bodies, frames };
  }
  private ghost?: { bodies: Bodies; frames: Frames };
  get ghostGroup(): THREE.Group | undefined {
    return this.ghost?.bodies.group;
  }

  // Metres per pixel of flat views; none where it differs from place to place.
  get scale(): number | undefined {
    return this.camera === this.flat ? (this.flat.right - this.flat.left) / this.flat.zoom / this.canvas.clientWidth : undefined;
  }

  private forceText = (newton: number) => withUnit(newton, 'N', this.units);

  // Shows a time; false while its frame is on its way.
  show(time: number): boolean {
    const frame = this.frames.at(time);
    if (!frame) return false;
    const begin = performance.now();
    this.frame = frame;
    this.bodies.update(frame);
    const before = this.ghost?.frames.at(time);
    if (before) this.ghost!.bodies.update(before);
    this.moveCamera();
    this.ropes.update(frame, this.camera);
    this.wheels.update(frame);
    this.arrows.update(frame, this.bodies, this.wheels, this.camera, this.forceText);
    this.sea?.setTime(time);
    this.drawTrail(time);
    this.pageTime = performance.now() - begin;
    return !this.ghost || before !== undefined;
  }

  private moveCamera() {
    if (this.view === 'follow') {
      const now = this.bodies.centre(this.followed, new THREE.Vector3());
      const moved = now.clone().sub(this.lastCentre);
      this.controls.target.add(moved);
      this.perspective.position.add(moved);
      this.lastCentre.copy(now);
      this.controls.update();
    } else if (this.view === 'ride' && this.rideOn) {
      const { body, point } = this.rideOn;
      this.bodies.point(body, point, this.perspective.position);
      const to = this.bodies.centre(this.followed, new THREE.Vector3());
      // Beside the rope and not in it.
      this.perspective.position.z += 0.02 * this.size;
      this.perspective.position.x += 0.01 * this.size;
      this.perspective.lookAt(to);
    } else if (this.view === 'cab' && this.cab) {
      sitInCab(this.cab, this.bodies, this.followed, this.perspective);
    }
  }

  private drawTrail(time: number) {
    this.trail.visible = this.showTrail;
    if (!this.showTrail) return;
    const last = this.frames.indexAt(time);
    const first = this.frames.indexAt(time - trailSeconds);
    const step = Math.max(1, Math.ceil((last - first) / (trailPoints - 1)));
    const c = this.source.meta.scene!.bodies[this.followed]?.centre ?? [0, 0, 0];
    const attribute = this.trail.geometry.getAttribute('position') as THREE.BufferAttribute;
    const p = new THREE.Vector3();
    const q = new THREE.Quaternion();
    let n = 0;
    for (let i = first; i <= last && n < trailPoints; i += step) {
      const frame = this.frames.get(i);
      if (!frame) continue;
      const k = 7 * this.followed;
      q.set(frame.poses[k + 4], frame.poses[k + 5], frame.poses[k + 6], frame.poses[k + 3]);
      p.set(c[0], c[1], c[2]).applyQuaternion(q);
      attribute.setXYZ(n++, p.x + frame.poses[k], p.y + frame.poses[k + 1], p.z + frame.poses[k + 2]);
    }
    attribute.needsUpdate = true;
    this.trail.geometry.setDrawRange(0, n);
  }

  render() {
    this.renderer.render(this.scene, this.camera);
  }

  // What is at a place of the canvas (0 … 1 from its top left), in words; several lines.
  describe(x: number, y: number): string | undefined {
    if (!this.frame) return undefined;
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(2 * x - 1, 1 - 2 * y), this.camera);
    const hits = ray.intersectObjects([...this.bodies.hoverable, ...this.ropes.hoverable, ...this.arrows.hoverable], false);
    for (const hit of hits) {
      const text = this.ropes.describe(hit, this.forceText) ?? this.arrows.describe(hit) ?? this.describeBody(hit);
      if (text) return text;
    }
    return undefined;
  }

  private describeBody(hit: THREE.Intersection): string | undefined {
    const seen = hit.object.userData as Partial<Seen>;
    if (seen.body === undefined || !seen.shape) return undefined;
    const shape = seen.shape;
    const guess = shape.role === 'guess' || shape.guess ? '\nshape guessed from mass, points and hydrostatics' : '';
    if (seen.body < 0) return `${shape.name ?? 'fixed'}${guess}`;
    const body = this.source.meta.scene!.bodies[seen.body];
    const p = this.bodies.centre(seen.body, new THREE.Vector3());
    const still = shape.role === 'sheave' && !this.wheels.turns(hit.object) ? ', its turning was not recorded' : '';
    const part = shape.role === 'sheave' ? `sheave ${shape.name} of ${shape.rope}${still}` : shape.role === 'surface' ? shape.name : undefined;
    return (
      `${body.name}${part ? ' · ' + part : ''}` +
      (body.mass ? `\n${withUnit(body.mass, 'kg', this.units)}` : '') +
      `\ncentre at ${readable(p.x)}, ${readable(p.y)}, ${readable(p.z)} m${guess}`
    );
  }
}
