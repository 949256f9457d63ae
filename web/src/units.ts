// Units in which people read numbers, by the size of what is shown; as page/display_unit.cpp.

export type UnitSystem = 'engineering' | 'si';

export interface DisplayUnit {
  name: string;
  scale: number;
}

const prefixed = (unit: string, largest: number): DisplayUnit =>
  largest >= 1e6 ? { name: 'M' + unit, scale: 1e-6 } : largest >= 1e3 ? { name: 'k' + unit, scale: 1e-3 } : { name: unit, scale: 1 };

export function displayUnit(unit: string, largest: number, system: UnitSystem): DisplayUnit {
  if (system === 'si') return { name: unit === '1' ? '' : unit, scale: 1 };
  switch (unit) {
    case 'rad':
    case 'rad/s':
    case 'rad/s^2':
      return { name: unit.replace('rad', 'deg'), scale: 180 / Math.PI };
    case 'kg':
      return largest >= 1e3 ? { name: 't', scale: 1e-3 } : { name: 'kg', scale: 1 };
    case 'N':
    case 'N m':
    case 'J':
    case 'W':
      return prefixed(unit, largest);
    case '1':
      return { name: '', scale: 1 };
    default:
      return { name: unit, scale: 1 };
  }
}

export function readable(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e6 || size < 1e-3) return value.toExponential(2);
  return value.toPrecision(4).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

export function withUnit(value: number, unit: string, system: UnitSystem): string {
  const shown = displayUnit(unit, Math.abs(value), system);
  return `${readable(value * shown.scale)} ${shown.name}`.trim();
}

export function clockText(t: number): string {
  const sign = t < 0 ? '-' : '';
  const s = Math.abs(t);
  if (s < 600) return `${sign}${s.toFixed(2)} s`;
  const h = Math.floor(s / 3600);
  const m = Math.floor((s % 3600) / 60);
  return `${sign}${h > 0 ? h + ':' : ''}${String(m).padStart(h > 0 ? 2 : 1, '0')}:${(s % 60).toFixed(1).padStart(4, '0')}`;
}
