import type { LockedPackages } from './lockfile.ts'

/** A direct dependency of this project, with the version in package-lock.json. */
export type Dependency = {
  readonly name: string
  readonly version: string
  readonly integrity: string | undefined
}

/** The registry's data about one version of a package. */
export type Published = {
  /** The time of publication, ISO 8601; undefined when the registry does not report this time. */
  readonly at: string | undefined
  /** The ids of the keys with which the registry signed this version. */
  readonly keys: readonly string[]
}

/** The parts of a package.json that list dependencies. */
export type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, string>>
}

/** The minimum age of a version in days. Most malicious versions are detected and removed within days. */
const minAgeDays = 7
const dayMs = 86_400_000

/**
 * Lists every direct dependency and override in the package.json files, each version once, sorted by name. The packages
 * of this repository are omitted.
 */
export function listDependencies(
  manifests: readonly Manifest[],
  packages: LockedPackages,
): Dependency[] {
  const direct = manifests
    .flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
    )
    .filter((name) => !packages[`node_modules/${name}`]?.link)
  const overrides = manifests.flatMap((manifest) => Object.keys(manifest.overrides ?? {}))
  const paths = [
    ...direct.map((name) => [name, `node_modules/${name}`] as const),
    ...overrides.flatMap((name) =>
      Object.keys(packages)
        .filter((path) => path.endsWith(`node_modules/${name}`))
        .map((path) => [name, path] as const),
    ),
  ]
  const found = paths.map(([name, path]) => {
    const { version = '', integrity } = packages[path] ?? {}
    return [`${name}@${version}`, { name, version, integrity }] as const
  })
  return [...new Map(found).values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Returns a one-line description of a dependency, and its problems. */
export function judgeDependency(
  { name, version, integrity }: Dependency,
  { at, keys }: Published,
  nowMs: number,
): { readonly line: string; readonly problems: readonly string[] } {
  const days = at === undefined ? undefined : Math.floor((nowMs - Date.parse(at)) / dayMs)
  const age = days === undefined ? 'unknown age' : `${days} days`
  const signature =
    keys.length > 0 ? `signed with ${keys.join(', ')}` : 'not offered by this registry'
  const problems = [
    ...(integrity === undefined ? ['has no integrity in the lockfile'] : []),
    ...(days === undefined ? ['has no date in the registry'] : []),
    ...(days !== undefined && days < minAgeDays ? [`is younger than ${minAgeDays} days`] : []),
  ]
  return {
    line: `${name.padEnd(34)} ${version.padEnd(18)} ${age.padStart(11)}   signature: ${signature}`,
    problems: problems.map((problem) => `${name}@${version} ${problem}.`),
  }
}
