// Colours that the colour-blind tell apart: cividis for tensions, Okabe and Ito's for curves and bodies.
import { Color } from 'three';

const cividis = ['#00224e', '#123570', '#3b496c', '#575d6d', '#707173', '#8a8678', '#a59c74', '#c3b369', '#e1cc55', '#fee838'];

const cividisColours = cividis.map((colour) => new Color(colour));

export function tensionColour(share: number, to: Color): Color {
  const x = Math.min(Math.max(share, 0), 1) * (cividis.length - 1);
  const i = Math.min(Math.floor(x), cividis.length - 2);
  return to.lerpColors(cividisColours[i], cividisColours[i + 1], x - i);
}

export const cividisCss = `linear-gradient(to right, ${cividis.join(', ')})`;

export const curveColours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#8a7a00', '#7f7f7f'];
export const curveColoursDark = ['#56b4e9', '#e69f00', '#2fd0a0', '#e69fc7', '#ff8c4a', '#9ad5ff', '#f0e442', '#b0b0b0'];

export const bodyColours = ['#d98c2b', '#4f86b0', '#5f9e7f', '#b07aa0', '#c2673a', '#7f8fa0', '#a89a4a', '#6f6f9e'];
export const hullColour = '#8a3b34';
export const sideColour = '#4d6c8c';
export const deckPaint = '#a7a49b';
export const deckColour = '#7f9380';
export const sticksColour = '#0072b2';
export const slipsColour = '#d55e00';
export const slackColour = '#9a9a9a';
