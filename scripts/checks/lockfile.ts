/** A package of package-lock.json, described in npm's manual, "package-lock.json". */
type Locked = {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  /** True for a package of this repository, which npm installs as a link. */
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The packages by path, as the lockfile lists them; '' is the project itself, and `packages/…` are its workspaces. */
export type LockedPackages = Readonly<Record<string, Locked>>

/**
 * Returns one sentence for each problem that would make `npm ci` fail on this or another platform. npm omits the binary
 * of a platform from the lockfile if the registry lacked the binary when npm wrote the lockfile; `npm ci` then refuses
 * the whole lockfile on every platform.
 */
export function findLockfileProblems(packages: LockedPackages): string[] {
  return Object.entries(packages).flatMap(([path, locked]) =>
    missingDependencies(packages, path, locked).concat(
      path.startsWith('node_modules/') && !locked.link ? untrustedOrigin(path, locked) : [],
    ),
  )
}

function missingDependencies(packages: LockedPackages, path: string, locked: Locked): string[] {
  return Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
    .filter((name) => !isLocked(packages, path, name))
    .map((name) => `${name}, which ${path || 'the project'} depends on, is missing.`)
}

/**
 * Whether the lockfile contains the package where Node looks for it: in the dependent package's own node_modules, then
 * in that of each parent folder.
 */
function isLocked(packages: LockedPackages, dependent: string, name: string): boolean {
  for (
    let folder = dependent;
    ;
    folder = folder.slice(0, folder.lastIndexOf('node_modules/') - 1)
  ) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true
    if (!folder.includes('/node_modules/')) {
      return packages[`node_modules/${name}`] !== undefined
    }
  }
}

function untrustedOrigin(path: string, { integrity, resolved }: Locked): string[] {
  const problems: string[] = []
  if (!integrity) problems.push(`${path} has no integrity hash.`)
  if (resolved && !resolved.startsWith('https://registry.npmjs.org/')) {
    problems.push(`${path} does not come from the public registry.`)
  }
  return problems
}
