/**
 * A drawing from web/art, imported as text (`import gears from '#web/art/gears.svg?raw'`), so that the drawing uses the
 * page's colors. Screen readers skip the drawing, because the text beside it has the same content.
 */
export function Art({ svg }: { svg: string }) {
  return <span className="artwork" aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg }} />
}
