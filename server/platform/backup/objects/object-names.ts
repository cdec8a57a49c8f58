/**
 * The marker object, which identifies the target by a random id. A target without this object was emptied, or its
 * disk is not mounted.
 */
export const markName = 'torque-and-timing.json'

/**
 * Identifies the folder of one incarnation at the target. An incarnation is the backup history of one copy of the
 * shop: it begins when the backup is switched on, and after every restore.
 */
export type Incarnation = {
  /** PostgreSQL's system identifier of the cluster. */
  readonly systemId: string
  /** PostgreSQL's timeline in decimal. */
  readonly timeline: number
  readonly id: string
}

export const incarnationFolder = ({ systemId, timeline, id }: Incarnation): string =>
  `${systemId}/${timeline}-${id}/`

/** Returns the incarnation (backup history) to which the object with this name belongs. */
export function parseIncarnation(name: string): Incarnation | undefined {
  const found = /^(\d{1,20})\/(\d{1,10})-([a-z0-9]{12})\//.exec(name)
  const [, systemId, timeline, id] = found ?? []
  return systemId && timeline && id ? { systemId, timeline: Number(timeline), id } : undefined
}

const digits = (number: number, count: number) => String(number).padStart(count, '0')

/** The folder of a base backup: the prefix of the names of its parts and of its manifest. */
export const baseFolder = (base: number): string => `base/${digits(base, 8)}/`

/**
 * The names of the objects below the folder of an incarnation (a backup history). The names contain consecutive
 * numbers, so that a missing object is noticed.
 */
export const objectNames = {
  claim: (number: number): string => `claims/${digits(number, 8)}`,
  basePart: (base: number, part: number): string => `${baseFolder(base)}part-${digits(part, 6)}`,
  /**
   * The manifest is written last, so a base backup without a manifest is incomplete. `endedMs` is the end of the copy
   * in milliseconds since 1970.
   */
  manifest: (base: number, endedMs: number): string =>
    `${baseFolder(base)}manifest-${digits(endedMs, 14)}`,
  /**
   * `archivedMs` is the time at which PostgreSQL finished the segment. Every commit in the segment happened before that
   * time.
   */
  segment: (segment: string, archivedMs: number): string =>
    `log/${segment}-${digits(archivedMs, 14)}`,
  file: (number: number): string => `files/${digits(number, 10)}`,
}

export function parseClaimName(name: string): number | undefined {
  const [, number] = /\/claims\/(\d{8})$/.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}

export function parseManifestName(name: string): { base: number; endedMs: number } | undefined {
  const [, base, endedMs] = /\/base\/(\d{8})\/manifest-(\d{14})$/.exec(name) ?? []
  return base && endedMs ? { base: Number(base), endedMs: Number(endedMs) } : undefined
}

export function parseSegmentName(
  name: string,
): { segment: string; archivedMs: number } | undefined {
  const [, segment, archivedMs] = /\/log\/([0-9A-F]{24})-(\d{14})$/.exec(name) ?? []
  return segment && archivedMs ? { segment, archivedMs: Number(archivedMs) } : undefined
}

export function parseFileName(name: string): number | undefined {
  const [, number] = /\/files\/(\d{10})$/.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}
