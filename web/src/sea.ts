// The sea of this very run: the sum of its components, worked out on the graphics card for every point of a grid.
import * as THREE from 'three';
import type { SceneDocument } from './source';

const mostComponents = 160; // of the largest amplitude: more do not show

const vertexShader = `
uniform sampler2D waves;
uniform int count;
uniform float time, rise, spacing;
uniform vec2 centre;
varying vec3 vNormal;
varying vec3 vWorld;
varying float vHeight;
#include <fog_pars_vertex>
void main() {
  vec2 p = position.xy + centre;
  float z = 0.0;
  vec2 slope = vec2(0.0);
  // A wave shorter than two spaces of the grid would show as something else.
  float cell = max(1.0, length(position.xy) * spacing);
  for (int i = 0; i < ${mostComponents}; ++i) {
    if (i >= count) break;
    vec4 w = texelFetch(waves, ivec2(i, 0), 0);  // amplitude, frequency, kx, ky
    float phase = texelFetch(waves, ivec2(i, 1), 0).x;
    float seen = 1.0 - smoothstep(1.0, 3.0, length(w.zw) * cell);
    float angle = w.y * time - dot(w.zw, p) + phase;
    z += seen * w.x * cos(angle);
    slope += seen * w.x * sin(angle) * w.zw;
  }
  z *= rise;
  slope *= rise;
  vNormal = normalize(vec3(-slope, 1.0));
  vHeight = z;
  vec4 world = vec4(p, z, 1.0);
  vWorld = world.xyz;
  vec4 mvPosition = viewMatrix * world;
  gl_Position = projectionMatrix * mvPosition;
  #include <fog_vertex>
}`;

const fragmentShader = `
uniform vec3 deep, bright, sun;
uniform float opacity;
varying vec3 vNormal;
varying vec3 vWorld;
varying float vHeight;
#include <fog_pars_fragment>
void main() {
  vec3 n = normalize(vNormal);
  vec3 view = normalize(cameraPosition - vWorld);
  if (!gl_FrontFacing) n = -n;
  float glancing = pow(1.0 - max(dot(n, view), 0.0), 4.0);
  float lit = 0.5 + 0.5 * max(dot(n, sun), 0.0);
  vec3 colour = mix(deep, bright, clamp(0.25 + 0.6 * glancing + 0.12 * vHeight, 0.0, 1.0)) * lit;
  float glint = pow(max(dot(reflect(-sun, n), view), 0.0), 90.0);
  gl_FragColor = vec4(colour + 0.35 * glint, mix(opacity, 1.0, glancing));
  #include <fog_fragment>
}`;

export class Sea {
  readonly mesh: THREE.Mesh;
  private readonly material: THREE.ShaderMaterial;
  readonly shown: number;
  readonly all: number;
  // Of a live run: times the components' amplitudes.
  height: (time: number) => number = () => 1;

  constructor(private readonly sea: NonNullable<SceneDocument['sea']>, centre: THREE.Vector3, size: number) {
    const waves = [...sea.waves].sort((a, b) => b[0] - a[0]);
    this.all = waves.length;
    this.shown = Math.min(waves.length, mostComponents);
    const data = new Float32Array(4 * 2 * mostComponents);
    waves.slice(0, mostComponents).forEach(([amplitude, frequency, k, heading, phase], i) => {
      data.set([amplitude, frequency, k * Math.cos(heading), k * Math.sin(heading)], 4 * i);
      data[4 * (mostComponents + i)] = phase;
    });
    const texture = new THREE.DataTexture(data, mostComponents, 2, THREE.RGBAFormat, THREE.FloatType);
    texture.needsUpdate = true;
    this.material = new THREE.ShaderMaterial({
      vertexShader,
      fragmentShader,
      transparent: true,
      side: THREE.DoubleSide,
      depthWrite: false,
      fog: true,
      uniforms: THREE.UniformsUtils.merge([
        THREE.UniformsLib.fog,
        {
          count: { value: this.shown },
          time: { value: 0 },
          rise: { value: 0 },
          spacing: { value: 0.02 },
          opacity: { value: 0.72 },
          centre: { value: new THREE.Vector2(centre.x, centre.y) },
          deep: { value: new THREE.Color('#12405e') },
          bright: { value: new THREE.Color('#9cc4d8') },
          sun: { value: new THREE.Vector3(-0.45, -0.55, 0.7).normalize() },
        },
      ]),
    });
    this.material.uniforms.waves = { value: texture };
    this.mesh = new THREE.Mesh(polarGrid(size), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  setTime(time: number) {
    this.material.uniforms.time.value = time;
    const s = this.sea.ramp > 0 ? Math.min(Math.max(time / this.sea.ramp, 0), 1) : 1;
    this.material.uniforms.rise.value = s * s * (3 - 2 * s) * this.height(time);
  }

  setTheme(dark: boolean) {
    this.material.uniforms.deep.value.set(dark ? '#0b2a3f' : '#17567c');
    this.material.uniforms.bright.value.set(dark ? '#5b8aa3' : '#a9cfe2');
  }

  // For labels: as on the graphics card, all components.
  elevation(x: number, y: number, time: number): number {
    let z = 0;
    for (const [a, w, k, heading, phase] of this.sea.waves)
      z += a * Math.cos(w * time - k * (x * Math.cos(heading) + y * Math.sin(heading)) + phase);
    return z * this.material.uniforms.rise.value;
  }
}

// Fine in the middle and coarse far away.
function polarGrid(size: number): THREE.BufferGeometry {
  const rings = 110;
  const sectors = 144;
  const points: number[] = [0, 0, 0];
  for (let r = 1; r <= rings; ++r) {
    const radius = size * (0.25 * (r / rings) + 0.75 * (r / rings) ** 4);
    for (let s = 0; s < sectors; ++s) points.push(radius * Math.cos((2 * Math.PI * s) / sectors), radius * Math.sin((2 * Math.PI * s) / sectors), 0);
  }
  const index: number[] = [];
  for (let s = 0; s < sectors; ++s) index.push(0, 1 + s, 1 + ((s + 1) % sectors));
  for (let r = 1; r < rings; ++r)
    for (let s = 0; s < sectors; ++s) {
      const a = 1 + (r - 1) * sectors + s;
      const b = 1 + (r - 1) * sectors + ((s + 1) % sectors);
      index.push(a, a + sectors, b + sectors, a, b + sectors, b);
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(index);
  return geometry;
}
