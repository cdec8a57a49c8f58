/**
 * A drawing from web/art, imported as text (`import gears from '#web/art/gears.svg?raw'`), so that it
 * takes the page's colours. Always decoration: the words beside it say the same.
 */
export function Art({ svg }: { svg: string }) {
  return <span className="artwork" aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg }} />
}
