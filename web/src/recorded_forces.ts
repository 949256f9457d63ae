// Forces that channels tell and whose places the scene knows: reactions of joints, and what contacts press.
import * as THREE from 'three';
import type { ArrowKind } from './arrows';
import type { Bodies } from './bodies';
import type { Series } from './series';
import type { SceneDocument, Shape, Source } from './source';

export interface RecordedForce {
  words: string;
  kind: ArrowKind;
  // In world axes, where the bodies are now.
  evaluate(time: number, bodies: Bodies, at: THREE.Vector3, force: THREE.Vector3): void;
}

type Sampler = (time: number) => number;

// All three components must have been recorded.
async function reactions(scene: SceneDocument, index: Map<string, number>, series: Series): Promise<RecordedForce[]> {
  const found = scene.bodies.flatMap((body, b) => {
    const three = ['Fx', 'Fy', 'Fz'].map((f) => index.get(`${body.name}.reaction.${f}`));
    return three.every((c) => c !== undefined) ? [{ body, b, three: three as number[] }] : [];
  });
  return Promise.all(
    found.map(async ({ body, b, three }) => {
      const [x, y, z] = await Promise.all(three.map((c) => series.sampler(c)));
      return {
        words: `joint of ${body.name}`,
        kind: 'reaction' as const,
        evaluate: (time: number, bodies: Bodies, at: THREE.Vector3, force: THREE.Vector3) => {
          const { position, quaternion } = bodies.objects[b];
          at.copy(position);
          force.set(x(time), y(time), z(time)).applyQuaternion(quaternion);
        },
      };
    }),
  );
}

interface Plate {
  body: number; // -1: the world
  shape: Shape;
}

// Contacts on one plane, whose normal is known: the surface in the scene has the contact's name.
function plates(scene: SceneDocument): Map<string, Plate> {
  const all = [...scene.bodies.flatMap((body, b) => body.shapes.map((shape) => ({ body: b, shape }))), ...scene.world.map((shape) => ({ body: -1, shape }))];
  return new Map(all.filter(({ shape }) => shape.role === 'surface' && shape.name && scene.meshes[shape.mesh ?? -1]?.triangles <= 2).map((plate) => [plate.shape.name!, plate]));
}

// The only point of that name, or of `body_point`.
function pointNamed(scene: SceneDocument, name: string): { body: number; point: string } | undefined {
  const found = scene.bodies.flatMap((body, b) => Object.keys(body.points ?? {}).filter((point) => point === name || `${body.name}_${point}` === name).map((point) => ({ body: b, point })));
  return found.length === 1 ? found[0] : undefined;
}

function pressing(plate: Plate, normal: Sampler, words: string, place: (bodies: Bodies, at: THREE.Vector3) => void): RecordedForce {
  const [x, y, z, w, i, j, k] = plate.shape.pose;
  const turn = new THREE.Quaternion(i, j, k, w);
  return {
    words,
    kind: 'contact',
    evaluate: (time, bodies, at, force) => {
      const object = bodies.objects[plate.body];
      force.set(0, 0, normal(time)).applyQuaternion(turn);
      if (object) force.applyQuaternion(object.quaternion);
      at.set(x, y, z);
      if (object) at.applyQuaternion(object.quaternion).add(object.position);
      place(bodies, at);
    },
  };
}

// The resultant of contacts all over a surface, at its centre of pressure: channels of the world.
async function resultants(index: Map<string, number>, series: Series): Promise<RecordedForce[]> {
  const names = [...index.keys()].filter((channel) => channel.endsWith('.centre_x')).map((channel) => channel.slice(0, -'.centre_x'.length));
  const found = names.flatMap((name) => {
    const six = ['centre_x', 'centre_y', 'centre_z', 'force_x', 'force_y', 'force_z'].map((c) => index.get(`${name}.${c}`));
    return six.every((c) => c !== undefined) ? [{ name, six: six as number[] }] : [];
  });
  return Promise.all(
    found.map(async ({ name, six }) => {
      const of = await Promise.all(six.map((c) => series.sampler(c)));
      return {
        words: `${name}, at its centre of pressure`,
        kind: 'contact' as const,
        evaluate: (time: number, _bodies: Bodies, at: THREE.Vector3, force: THREE.Vector3) => {
          at.set(of[0](time), of[1](time), of[2](time));
          force.set(of[3](time), of[4](time), of[5](time));
        },
      };
    }),
  );
}

// Of each point where points were named; else their sum in the middle of the plane, where no more is known.
async function contacts(scene: SceneDocument, index: Map<string, number>, series: Series): Promise<RecordedForce[]> {
  const out: Promise<RecordedForce>[] = [];
  for (const [name, plate] of plates(scene)) {
    const [before, after] = [`${name}.`, '.normal'];
    const points = [...index.keys()]
      .filter((channel) => channel.startsWith(before) && channel.endsWith(after) && channel.length > before.length + after.length)
      .map((channel) => channel.slice(before.length, -after.length));
    const known = points.flatMap((point) => {
      const at = pointNamed(scene, point);
      return at ? [{ point, at }] : [];
    });
    const sum = index.get(`${name}.normal`);
    if (points.length > 0 && known.length === points.length)
      for (const { point, at: where } of known)
        out.push(series.sampler(index.get(`${name}.${point}.normal`)!).then((normal) => pressing(plate, normal, `${name} on ${point}`, (bodies, at) => bodies.point(where.body, where.point, at))));
    else if (sum !== undefined && !index.has(`${name}.force_x`)) out.push(series.sampler(sum).then((normal) => pressing(plate, normal, `${name}, all points together, drawn in the middle of the surface`, () => {})));
  }
  return Promise.all(out);
}

export async function recordedForces({ meta }: Source, series: Series): Promise<RecordedForce[]> {
  const index = new Map(meta.channels.map((c, i) => [c.name, i]));
  return [...(await reactions(meta.scene!, index, series)), ...(await resultants(index, series)), ...(await contacts(meta.scene!, index, series))];
}
