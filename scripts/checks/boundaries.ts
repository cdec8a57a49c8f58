import { posix } from 'node:path'

/** A source file by its path from the root, with the module specifiers it imports. */
export type SourceFile = { readonly path: string; readonly imports: readonly string[] }

type Zone = {
  readonly folder: RegExp
  /** What it may import of the project, itself included. */
  readonly may: RegExp
  readonly packages?: RegExp
}

const noPackage = /^$/

/** The rooms of `server/platform`, each with those it may enter besides itself: only ones that stand above it. */
const platformModules = {
  start: [],
  work: [],
  database: ['start', 'work'],
  http: ['database', 'work'],
  health: ['database'],
  keys: ['database', 'start'],
  postgres: ['database', 'start'],
  backup: ['postgres', 'keys', 'database', 'start'],
}

const platformZones = Object.entries(platformModules).map(([module, others]) => ({
  folder: new RegExp(`^server/platform/${module}/`),
  may: new RegExp(`^(domain|contracts|server/platform/(${[module, ...others].join('|')}))/`),
}))

/**
 * Who may import whom; the first zone that fits a file counts. `domain` is pure, `contracts` know the
 * domain, `letters` know both, the two sides never meet, features of the web are islands, testing code stays
 * in tests.
 */
const zones: readonly Zone[] = [
  { folder: /^(domain|contracts)\/.*\.test\.tsx?$/, may: /^(domain|contracts)\// },
  { folder: /^domain\//, may: /^domain\//, packages: noPackage },
  { folder: /^contracts\//, may: /^(domain|contracts)\//, packages: /^zod(\/mini)?$/ },
  { folder: /^letters\/.*\.test\.ts$/, may: /^(domain|contracts|letters|testing)\// },
  // Of the processor they know the types; the functions of a hosted project have node:buffer too.
  {
    folder: /^letters\//,
    may: /^(domain|contracts|letters)\//,
    packages: /^(stripe|node:buffer)$/,
  },
  { folder: /^web\/(ui|lib)\//, may: /^(domain|contracts|web\/(ui|lib|art))\// },
  {
    folder: /^web\/features\/([^/]+)\//,
    may: /^(domain|contracts|web\/(ui|lib|styles|art|features\/\$1)|web\/app\/paths\.ts)\b/,
  },
  {
    folder: /^web\/(app\/admin-|pages\/(admin-dashboard|linked-view)\.|entry-(admin|prerender)\.)/,
    may: /^(domain|contracts|web)\/(?!entry)/,
  },
  {
    // No visitor loads code of the dashboard.
    folder: /^web\//,
    may: /^(domain|contracts|web)\/(?!entry|(features|app)\/admin-|pages\/(admin-dashboard|linked-view)\.)/,
  },
  { folder: /^(server|supabase)\/.*\.test\.ts$/, may: /^(?!web\/|e2e\/)/ },
  { folder: /^supabase\//, may: /^(domain|contracts|letters|supabase)\// },
  ...platformZones,
  // A room that is not in the list above may import nothing, so that somebody decides about it.
  { folder: /^server\/platform\//, may: /^$/ },
  {
    folder: /^server\/data-service\//,
    may: /^(domain|contracts|supabase|server\/(platform\/(database|http|keys|work)|data-service))\//,
  },
  {
    // Its pages and the invoice's wear the site's look.
    folder: /^server\/sandbox\//,
    may: /^(domain|contracts|server\/(platform\/(database|http|work)|sandbox)|web\/(styles|fonts|public))\/|^web\/(ui|app)\/[\w-]+\.css$/,
  },
  {
    folder: /^server\/features\//,
    may: /^(domain|contracts|letters|supabase|server\/(platform\/(database|http|health|keys|work)|data-service|features)|web\/(styles|fonts))\/|^server\/config\.ts$/,
  },
  {
    folder: /^server\/jobs\//,
    may: /^(domain|contracts|server\/(platform\/(database|health|work)|features|jobs))\//,
  },
  { folder: /^server\//, may: /^(domain|contracts|letters|supabase|server)\// },
  { folder: /^e2e\//, may: /^(domain|contracts|testing|e2e)\// },
]

/** The facts of a fresh shop. What a shop is called is a row: whoever says it is handed the facts as they are now. */
const standardShop = 'domain/shop/default-shop.ts'
const allowsDefaultShop = /\.(test|spec)\.tsx?$|^(testing|bench|proofs|e2e|scripts)\//

/** A sentence for each import that its zone does not allow. */
export function findViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const zone = zones.find(({ folder }) => folder.test(file.path))
    return file.imports
      .filter((specifier) => zone && !isAllowed(zone, file.path, specifier))
      .map((specifier) => `${file.path} must not import ${specifier}.`)
  })
}

function isAllowed(zone: Zone, path: string, specifier: string): boolean {
  const target = ownPath(path, specifier)
  if (target === undefined) return zone.packages === undefined || zone.packages.test(specifier)
  if (target === standardShop && !allowsDefaultShop.test(path)) return false
  const feature = zone.folder.exec(path)?.[1] ?? ''
  return new RegExp(zone.may.source.replace('\\$1', feature)).test(target)
}

/** The path from the root that a specifier names, or undefined for a package. */
function ownPath(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  return undefined
}
