import boltLoose from '#web/art/bolt-loose.svg?raw'
import boltMarked from '#web/art/bolt-marked.svg?raw'
import degreeWheel from '#web/art/degree-wheel.svg?raw'
import { Art } from './art.tsx'

/** The bolt of the success pages. Its stripe is painted when the page opens. */
export function MarkedBolt() {
  return <Art svg={boltMarked} />
}

/** The bolt of the 404 page. It is turned, so that its stripe is no longer aligned. */
export function LooseBolt() {
  return <Art svg={boltLoose} />
}

/** The timing wheel that stops at top dead center, shown in the hero and at the staff sign-in. */
export function DegreeWheel() {
  return <Art svg={degreeWheel} />
}
