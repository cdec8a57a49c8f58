/**
 * Draws the images that cannot be SVG: the icons for phones, and the background of the social picture. The images are
 * committed, because the build has no browser; run this script after a change of the logo: `npx node
 * scripts/draw-images.ts`. Every shop uses the same images, because they contain no text. The server draws the shop's
 * name on the empty left half of the background (server/features/site/social-picture/social-picture.ts).
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { browserFlags, findBrowser } from '#tests/support/browser.ts'

const web = path.join(import.meta.dirname, '../web')
const text = (file: string) => readFile(path.join(web, file), 'utf8')
const font = (await readFile(path.join(web, 'fonts/archivo-site.woff2'))).toString('base64')

const shared = `<style>${await text('styles/tokens.css')}
@font-face{font-family:"Archivo TT";src:url(data:font/woff2;base64,${font});font-weight:400 800;font-stretch:100% 125%}
*{box-sizing:border-box;margin:0}body{font-family:var(--tt-font);color:var(--tt-ink);overflow:hidden}svg{display:block}</style>`

const wheel = await text('art/degree-wheel.svg')
const favicon = await text('public/favicon.svg')

const social = `${shared}<style>
body{width:1200px;height:630px;background:var(--tt-sky);position:relative}
.degree-wheel{position:absolute;width:900px;left:660px;top:-135px;color:var(--tt-draw);overflow:visible}
.degree-wheel text{font:600 13px var(--tt-font);fill:currentColor;text-anchor:middle}
</style>${wheel}`

const icon = (size: number) => `${shared}<style>
body{width:${size}px;height:${size}px;background:var(--tt-sky);display:grid;place-items:center}
svg{width:${Math.round(size * 0.66)}px;height:${Math.round(size * 0.66)}px}</style>${favicon}`

async function draw(page: Page, file: string, size: [number, number], html: string) {
  await page.setViewportSize({ width: size[0], height: size[1] })
  await page.setContent(html)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await writeFile(file, await page.screenshot())
  console.log(path.basename(file))
}

const executablePath = findBrowser()
const browser = await chromium.launch({
  args: browserFlags,
  ...(executablePath ? { executablePath } : {}),
})
const page = await browser.newPage({ colorScheme: 'light', reducedMotion: 'reduce' })
await draw(
  page,
  path.join(web, '../server/features/site/social-picture/social-ground.png'),
  [1200, 630],
  social,
)
await draw(page, path.join(web, 'public/icon-192.png'), [192, 192], icon(192))
await draw(page, path.join(web, 'public/icon-512.png'), [512, 512], icon(512))
await draw(page, path.join(web, 'public/apple-touch-icon.png'), [180, 180], icon(180))
await browser.close()
