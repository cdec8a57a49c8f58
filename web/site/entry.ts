import { replayFirstClick } from './replay-first-click.ts'
import fontUrl from '#web/fonts/archivo-site.woff2'
import '#web/styles/site.css'

/** The page's script: hydrate.tsx, or the page's enhance-….ts for a page that the server renders. */
type PageModule = {
  readonly enhancePage: (
    face: Promise<FontFace | undefined>,
    onAwake: () => void,
  ) => void | Promise<void>
}

/**
 * The first script of the public pages. The script is small, so that the browser paints the page, which is readable
 * without scripts, before the rest of the code occupies the processor. An early click is replayed later.
 */
async function wake() {
  const press = replayFirstClick()
  await firstPaint()
  const face = loadFace()
  const [pageModule = '', ...others] = modulesOfPage()
  for (const module of others) preload(module)
  try {
    const { enhancePage }: PageModule = await import(/* @vite-ignore */ pageModule)
    await enhancePage(face, () => {
      document.documentElement.dataset['awake'] = ''
      press.again()
    })
  } catch (error) {
    press.release()
    throw error
  }
}

/**
 * Loads the font that styles/fonts.css declares for pages without scripts, so that the font does not delay the first
 * paint. The font is applied after it is loaded, because an unloaded font would cause one more layout. If it fails to
 * load, the fallback font stays.
 */
function loadFace(): Promise<FontFace | undefined> {
  const descriptors = { weight: '400 800', stretch: '100% 125%' }
  const face = new FontFace('Archivo TT', `url(${fontUrl})`, descriptors)
  return face.load().catch(() => undefined)
}

/**
 * The modules that the build listed beside this script: first the page's script, then the modules that this script and
 * the page import.
 */
function modulesOfPage(): string[] {
  return document.querySelector<HTMLElement>('[data-modules]')?.dataset['modules']?.split(' ') ?? []
}

/**
 * Preloads a module. Without preloads, the browser would request each file only after parsing the file that imports it.
 */
function preload(module: string) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = module
  document.head.append(link)
}

function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver(() => {
      observer.disconnect()
      resolve()
    })
    observer.observe({ type: 'paint', buffered: true })
    // The loading of the page continues after half a second without a paint, because a browser does not paint a
    // background tab.
    setTimeout(resolve, 500)
  })
}

void wake()
