/**
 * Builds the web applications into dist/:
 * dist/assets/* hashed, immutable, with .br and .gz variants
 * dist/public/* served at the root unchanged (icons)
 * dist/renderer/* the module with which the server renders all pages from the shop's data
 * dist/heads.json the scripts and styles in the head of each page
 * dist/manifest-*.json one file for the site and one for the dashboard: lists the output file of each module; read by
 *   check-bytes.ts
 */
import { cp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Manifest, type ManifestChunk } from 'vite'
import type { ListedPage, PageHead, SiteRenderer } from '#contracts/api/site-renderer.ts'
import {
  dashboardEntry,
  dashboardBundle,
  siteEntry,
  siteBundle,
  hydrationEntry,
  type WebBundle,
} from './web-bundles.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/**
 * Reads the optional argument: an output folder other than dist/, so that the build leaves the files of a running
 * server unchanged.
 */
const finalDir = path.resolve(root, process.argv[2] ?? 'dist')
const workDir = path.join(root, `.cache/build-web-${process.pid}`)
const outDir = path.join(workDir, 'dist')
const rendererDir = path.join(outDir, 'renderer')
const configFile = path.join(root, 'vite.config.ts')

async function buildWeb() {
  await rm(workDir, { recursive: true, force: true })
  const site = await buildPart(siteBundle, 'manifest-site.json')
  const dashboard = await buildPart(dashboardBundle, 'manifest-dashboard.json')
  await build({
    configFile,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Bundles the npm packages into the page renderer, so that the server does not load their many files.
    ssr: { noExternal: true },
    build: {
      outDir: rendererDir,
      ssr: path.join(root, 'web/prerender/entry.tsx'),
      copyPublicDir: false,
    },
  })
  await writeHeads({ site, dashboard })
  await copyPublic()
  await compress(path.join(outDir, 'assets'))
  await keepRecentAssets()
  // Moves the complete build into place, so that a running server never reads an incomplete build.
  await rm(finalDir, { recursive: true, force: true })
  await rename(outDir, finalDir)
  await rm(workDir, { recursive: true, force: true })
}

type Manifests = { readonly site: Manifest; readonly dashboard: Manifest }

/** Builds one application. Returns its manifest, which names the output file of each module. */
async function buildPart({ entries, groups }: WebBundle, manifest: string): Promise<Manifest> {
  await build({
    configFile,
    logLevel: 'warn',
    build: {
      outDir,
      manifest,
      copyPublicDir: false,
      rolldownOptions: {
        input: entries.map((file) => path.join(root, 'web', file)),
        // The first script of a page imports the hydration code by its export name, so the build must keep the names of
        // exports.
        preserveEntrySignatures: 'allow-extension',
        output: { codeSplitting: { groups } },
      },
    },
  })
  return JSON.parse(await readFile(path.join(outDir, manifest), 'utf8'))
}

async function writeHeads(manifests: Manifests) {
  const file = path.join(rendererDir, 'entry.js')
  const renderer: SiteRenderer = await import(pathToFileURL(file).href)
  const heads = await Promise.all(
    renderer.listPages().map(async (page) => [page.file, await headOf(page, manifests)] as const),
  )
  await writeFile(path.join(outDir, 'heads.json'), JSON.stringify(Object.fromEntries(heads)))
}

/**
 * Returns the data for the `<head>` of a page: the entry script, the imported modules of the entry script and of the
 * page, and the style sheets.
 */
async function headOf(page: ListedPage, { site, dashboard }: Manifests): Promise<PageHead> {
  const isDashboard = page.document === 'admin'
  const manifest = isDashboard ? dashboard : site
  const entry = chunkOf(manifest, isDashboard ? dashboardEntry : siteEntry)
  const chunks = new Set<ManifestChunk>()
  collect(manifest, entry, chunks)
  if (page.document === 'public') collect(manifest, chunkOf(manifest, hydrationEntry), chunks)
  if (!isDashboard) collect(manifest, chunkOf(manifest, page.module), chunks)
  const stylesheets = [...new Set([...chunks].flatMap((chunk) => chunk.css ?? []))]
  const css = await Promise.all(
    stylesheets.map((file) => readFile(path.join(outDir, file), 'utf8')),
  )
  // A public page contains its entry script inline, so the browser reads the entry's stylesheets from the page instead
  // of requesting them.
  const later = isDashboard ? stylesheets : stylesheets.filter((file) => !entry.css?.includes(file))
  const modules = [...chunks].filter((chunk) => chunk !== entry).map((chunk) => `/${chunk.file}`)
  return {
    script: isDashboard ? { address: `/${entry.file}` } : { code: await codeOf(entry) },
    modules,
    css: css.join(''),
    laterStylesheets: later.map((file) => `/${file}`),
  }
}

/**
 * Returns the code of an inline script. Inline code has no URL from which it could resolve imports, and must not
 * contain the closing tag of its element.
 */
async function codeOf({ file, imports = [] }: ManifestChunk): Promise<string> {
  const code = (await readFile(path.join(outDir, file), 'utf8')).trim()
  if (imports.length > 0 || code.includes('</script'))
    throw new Error(`${file} cannot be an inline script.`)
  return code
}

function chunkOf(manifest: Manifest, module: string | undefined): ManifestChunk {
  const chunk = module ? manifest[module] : undefined
  if (!chunk) throw new Error(`The build has no chunk for web/${module}.`)
  return chunk
}

function collect(manifest: Manifest, chunk: ManifestChunk, into: Set<ManifestChunk>) {
  if (into.has(chunk)) return
  into.add(chunk)
  for (const name of chunk.imports ?? []) collect(manifest, chunkOf(manifest, name), into)
}

async function copyPublic() {
  await cp(path.join(root, 'web/public'), path.join(outDir, 'public'), { recursive: true })
}

/** Keeps the files of the previous build for a day, because open tabs and running servers still request them. */
async function keepRecentAssets() {
  const [before, now] = [path.join(finalDir, 'assets'), path.join(outDir, 'assets')]
  const files = await readdir(before).catch(() => [])
  const oldest = Date.now() - 24 * 3_600_000
  for (const file of files) {
    const source = path.join(before, file)
    if ((await stat(source)).mtimeMs < oldest) continue
    await cp(source, path.join(now, file), { force: false, preserveTimestamps: true })
  }
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

async function compress(directory: string) {
  for (const file of await readdir(directory)) {
    if (!/\.(js|css|svg|json)$/.test(file)) continue
    const target = path.join(directory, file)
    const content = await readFile(target)
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    }
    await writeFile(`${target}.br`, await brotli(content, { params }))
    await writeFile(`${target}.gz`, await gzipped(content, { level: 9 }))
  }
}

await buildWeb()
