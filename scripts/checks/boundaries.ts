import { posix } from 'node:path'

/** A source file by its path from the root, with the module specifiers it imports. */
export type SourceFile = { readonly path: string; readonly imports: readonly string[] }

type Zone = {
  readonly folder: RegExp
  /**
   * Matches the paths that files of this zone may import. `$1` stands for the first capture group of the pattern
   * `folder`.
   */
  readonly may: RegExp
  readonly packages?: RegExp
}

const noPackage = /^$/

/** The modules of `server/platform`, each with the sibling modules that it may import. */
const platformModules = {
  queue: [],
  database: ['queue'],
  http: ['database', 'queue'],
  health: ['database'],
  keys: ['database'],
  secrets: ['keys', 'database'],
  storage: ['keys', 'database'],
  backup: ['keys', 'database', 'storage'],
}

const platformZones = Object.entries(platformModules).map(([name, others]) => ({
  folder: new RegExp(`^server/platform/${name}/`),
  may: new RegExp(
    `^(domain|contracts|packages/(postgres|embedded-postgres)|server/platform/(${[name, ...others].join('|')}))/`,
  ),
}))

/**
 * The zones of the repository. A zone is a folder together with the paths that its files may import. The list begins
 * with the innermost layer (the domain), and the first zone that matches a file applies. Tests may also import
 * `tests/support`.
 */
const zones: readonly Zone[] = [
  { folder: /^(domain|contracts)\/.*\.test\.tsx?$/, may: /^(domain|contracts)\// },
  { folder: /^domain\//, may: /^domain\//, packages: noPackage },
  { folder: /^contracts\//, may: /^(domain|contracts)\//, packages: /^zod(\/mini)?$/ },
  { folder: /^emails\/.*\.test\.ts$/, may: /^(domain|contracts|emails|tests\/support)\// },
  // The code of `emails` may import the types of Stripe, and node:buffer for the runtime Deno, in which a hosted
  // Supabase project runs this code.
  {
    folder: /^emails\//,
    may: /^(domain|contracts|emails)\//,
    packages: /^(stripe|node:buffer)$/,
  },
  // Zones (import rules) of the code in web/: the code of the two web applications (dashboard and site), the code that
  // they share, and the pages that the server renders.
  { folder: /^web\/(ui|lib)\//, may: /^(domain|contracts|web\/(ui|lib|art))\// },
  {
    folder: /^web\/dashboard\/kit\//,
    may: /^(domain|contracts|web\/(ui|lib|art|dashboard\/kit))\//,
  },
  {
    folder: /^web\/dashboard\/features\/([^/]+)\/.*\.test\.tsx?$/,
    may: /^(domain|contracts|web\/(ui|lib|art|styles|dashboard\/(kit|features\/\$1))|tests\/support)\//,
  },
  {
    folder: /^web\/dashboard\/features\/([^/]+)\//,
    may: /^(domain|contracts|web\/(ui|lib|art|styles|dashboard\/(kit|features\/\$1)))\//,
  },
  { folder: /^web\/dashboard\//, may: /^(domain|contracts|web\/(ui|lib|art|styles|dashboard))\// },
  {
    folder: /^web\/site\/features\/([^/]+)\//,
    may: /^(domain|contracts|web\/(ui|lib|art|styles|site\/(kit|features\/\$1)))\/|^web\/site\/router\.tsx$/,
  },
  { folder: /^web\/site\//, may: /^(domain|contracts|web\/(ui|lib|art|styles|fonts|site))\// },
  {
    folder: /^web\/customer-pages\/.*\.test\.ts$/,
    may: /^(domain|contracts|web\/customer-pages|tests\/support)\//,
  },
  {
    folder: /^web\/customer-pages\//,
    may: /^(domain|contracts|web\/(ui|lib|art|styles|customer-pages|site\/layout))\/|^web\/site\/features\/booking\/time\/[\w-]+\.css$/,
  },
  { folder: /^web\/prerender\//, may: /^(domain|contracts|web)\// },
  // Zones (import rules) of the packages, including their tests. Packages implement protocols of other products and
  // must not import this product.
  {
    folder: /^packages\/(data-service|embedded-postgres|postgres|stripe-sandbox)\//,
    may: /^packages\/(postgres|\$1)\//,
  },
  // Zones (import rules) of the server.
  { folder: /^(server|supabase|packages)\/.*\.test\.ts$/, may: /^(?!web\/|tests\/browser\/)/ },
  { folder: /^supabase\/tests\//, may: /^(?!web\/|tests\/browser\/)/ },
  { folder: /^supabase\//, may: /^(domain|contracts|emails|supabase)\// },
  // The packages that implement protocols of other products, such as PostgreSQL's.
  {
    folder: /^packages\/([^/]+)\//,
    may: /^(domain|contracts|packages\/(postgres|\$1)|server\/(platform\/(database|http|keys|queue))|web\/(styles|fonts|public))\/|^web\/(ui|site)\/[\w/-]+\.css$/,
  },
  ...platformZones,
  // A folder of server/platform without a zone (import rules) of its own may import nothing, so a developer who adds a
  // folder must also define its zone.
  { folder: /^server\/platform\//, may: /^$/ },
  {
    folder: /^server\/features\//,
    may: /^(domain|contracts|emails|supabase|packages|server\/(platform\/(backup|database|http|health|keys|queue|secrets)|features)|web\/(styles|fonts|public))\/|^server\/config\.ts$/,
  },
  {
    folder: /^server\/jobs\//,
    may: /^(domain|contracts|packages|server\/(platform\/(database|health|queue)|features|jobs))\//,
  },
  { folder: /^server\//, may: /^(domain|contracts|emails|supabase|packages|server)\// },
  { folder: /^tests\/browser\//, may: /^(domain|contracts|tests)\// },
]
/**
 * Files that only some files may import. Each entry has the path of a file, and a pattern for the paths that may import
 * the file.
 */
const restricted: ReadonlyMap<string, RegExp> = new Map([
  // The default details of a new shop, such as its name. Product code must use the details that the owner stored.
  ['domain/shop/default-shop.ts', /\.(test|spec)\.tsx?$|^(tests|bench|scripts)\//],
  // Only the form for versioned records handles version conflicts (decision 37). The other files in this pattern show
  // messages about version conflicts of actions without a form, such as a switch.
  [
    'web/lib/data/version-conflict.ts',
    /^web\/dashboard\/(kit\/(forms\/|bookings\/booking-errors\.ts)|features\/(settings\/kit\/save-errors|tasks\/card\/use-task-actions|day\/booking-panel\/use-internal-note)\.ts)/,
  ],
  [
    'web/dashboard/kit/forms/version-conflict-notice.tsx',
    /^web\/dashboard\/(kit\/(customers\/save-failure|forms\/[\w.-]+)|features\/(settings\/kit\/conflicts\/settings|estimates\/editor\/estimate)-conflict-notice)\.tsx$/,
  ],
])

/** Returns one sentence for each import that the import rules (the zone) of the importing file do not allow. */
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
  if (restricted.get(target)?.test(path) === false) return false
  const feature = zone.folder.exec(path)?.[1] ?? ''
  return new RegExp(zone.may.source.replace('\\$1', feature)).test(target)
}

/**
 * Returns the path from the root to which an import specifier resolves; undefined for a package from the registry.
 */
function ownPath(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('@local/')) return `packages/${specifier.slice('@local/'.length)}/`
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  return undefined
}
