import {
  argon2,
  type Argon2Parameters,
  randomBytes,
  scrypt,
  type ScryptOptions,
  timingSafeEqual,
} from 'node:crypto'

export type Passwords = {
  /**
   * Returns a salted hash of a password. The hash text includes the parameters of the algorithm:
   * `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`.
   */
  hash(password: string): Promise<string>
  /**
   * Whether `stored` is a hash of `password`. Without a stored hash, the result is false. The check then takes as long
   * as the check of a current hash, so that the duration does not reveal whether a user exists.
   */
  verify(password: string, stored: string | undefined): Promise<boolean>
  /**
   * Whether the hash has an earlier algorithm or cost and should be replaced. A new hash can be computed only from the
   * password.
   */
  isOutdated(stored: string): boolean
}

/**
 * The algorithm of a hash and the cost parameters of the algorithm. Argon2id: memory `m` in KiB, iterations `t`,
 * parallelism `p`. scrypt: cost N = 2^`ln`, block size `r`, parallelism `p`.
 */
type Cost =
  | { readonly kind: 'argon2id'; readonly m: number; readonly t: number; readonly p: number }
  | { readonly kind: 'scrypt'; readonly ln: number; readonly r: number; readonly p: number }

/** The cost that OWASP's Password Storage Cheat Sheet recommends: one hash needs 19 MiB of memory. */
const current = { kind: 'argon2id', m: 19_456, t: 2, p: 1 } as const

const hashLength = 32
const saltAndHash = String.raw`\$([\w-]{22})\$([\w-]{43})$`
const argon2Format = new RegExp(
  String.raw`^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})${saltAndHash}`,
)
/** The format of the hashes that earlier versions of this package stored. */
const scryptFormat = new RegExp(
  String.raw`^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})${saltAndHash}`,
)

type Derive = (password: string, salt: Buffer, cost: Cost) => Promise<Buffer>

/**
 * Creates the functions that hash and check passwords. Tests pass a key derivation (`derive`) that is cheaper or counts
 * its calls.
 */
export function createPasswords(derive: Derive = deriveKey): Passwords {
  /** The hash with which `verify` compares the password of an unknown user; no password matches this hash. */
  const unknownUser = encode(randomBytes(16), randomBytes(hashLength))
  return {
    async hash(password) {
      const salt = randomBytes(16)
      return encode(salt, await derive(password, salt, current))
    },
    async verify(password, stored) {
      const { cost, salt, hash } = decode(stored ?? unknownUser)
      const derived = await derive(password, salt, cost)
      return timingSafeEqual(derived, hash) && stored !== undefined
    },
    isOutdated(stored) {
      const { cost } = decode(stored)
      const { kind, m, t, p } = current
      return cost.kind !== kind || cost.m !== m || cost.t !== t || cost.p !== p
    },
  }
}

export function deriveKey(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  // NFKC normalization makes both Unicode encodings of an accented letter the same password.
  const message = password.normalize('NFKC')
  return cost.kind === 'argon2id'
    ? deriveWithArgon2(message, salt, cost)
    : deriveWithScrypt(message, salt, cost)
}

function deriveWithArgon2(
  message: string,
  nonce: Buffer,
  { m: memory, t: passes, p: parallelism }: Extract<Cost, { kind: 'argon2id' }>,
): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    message,
    nonce,
    memory,
    passes,
    parallelism,
    tagLength: hashLength,
  }
  return new Promise((done, failed) => {
    argon2('argon2id', parameters, (error, key) => (error ? failed(error) : done(key)))
  })
}

function deriveWithScrypt(
  message: string,
  salt: Buffer,
  { ln, r, p }: Extract<Cost, { kind: 'scrypt' }>,
): Promise<Buffer> {
  const blocks = 2 ** ln
  const options: ScryptOptions = { N: blocks, r, p, maxmem: 256 * blocks * r }
  return new Promise((done, failed) => {
    scrypt(message, salt, hashLength, options, (error, key) => (error ? failed(error) : done(key)))
  })
}

function encode(salt: Buffer, hash: Buffer): string {
  const { m, t, p } = current
  return `$argon2id$v=19$m=${m},t=${t},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

function decode(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const argon2Match = argon2Format.exec(stored)
  const [, first, second, third, salt, hash] = argon2Match ?? scryptFormat.exec(stored) ?? []
  if (!salt || !hash) throw new Error('A stored password is not in the format of this version')
  const [one, two, p] = [Number(first), Number(second), Number(third)]
  return {
    cost: argon2Match
      ? { kind: 'argon2id', m: one, t: two, p }
      : { kind: 'scrypt', ln: one, r: two, p },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}
