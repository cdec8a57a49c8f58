import boltLoose from '#web/art/bolt-loose.svg?raw'
import boltMarked from '#web/art/bolt-marked.svg?raw'
import degreeWheel from '#web/art/degree-wheel.svg?raw'
import { Art } from './art.tsx'

/**
 * The drawing of a tightened bolt (screw) on the success pages. When the page opens, an animation paints the stripe with
 * which a mechanic marks a tightened bolt.
 */
export function MarkedBolt() {
  return <Art svg={boltMarked} />
}

/**
 * The drawing of a loose bolt on the 404 page. The bolt is turned, so that the two parts of its paint stripe are no
 * longer in line.
 */
export function LooseBolt() {
  return <Art svg={boltLoose} />
}

/**
 * The drawing of an engine's timing wheel, whose animation stops at top dead center. The drawing appears at the top
 * of the home page and on the staff sign-in.
 */
export function DegreeWheel() {
  return <Art svg={degreeWheel} />
}
