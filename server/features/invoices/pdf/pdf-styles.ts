import type { TextStyle } from './pdf-text.ts'

/** The size and margins of a US Letter page in points (1/72 inch). */
export const page = { width: 612, height: 792, left: 54, right: 558, top: 60, bottom: 722 }

export const ink = '#0b2433'
export const muted = '#465f6d'
export const hairline = '#cbdce4'
export const signal = '#ff7a1f'

export const body: TextStyle = { face: 'regular', size: 9.5, color: ink }
export const strong: TextStyle = { face: 'bold', size: 10.5, color: ink }
export const label: TextStyle = { face: 'regular', size: 9, color: muted }
export const right = (style: TextStyle): TextStyle => ({ ...style, align: 'right' })
export const lineHeight = (style: TextStyle) => style.size * 1.4
