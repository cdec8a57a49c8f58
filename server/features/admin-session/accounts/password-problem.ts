const leastCharacters = 12
const mostCharacters = 200

/**
 * Returns the reason why staff cannot choose a new password, as the end of a sentence; undefined for an acceptable
 * password. Existing passwords stay valid.
 */
export async function findPasswordProblem(password: string): Promise<string | undefined> {
  const { length } = Array.from(password)
  if (length < leastCharacters) return `must have at least ${leastCharacters} characters`
  if (length > mostCharacters) return `must have at most ${mostCharacters} characters`
  if ((await readCommonPasswords()).has(password.toLowerCase())) {
    return 'is one of the most common passwords, which attackers try first'
  }
  return undefined
}

let common: Promise<ReadonlySet<string>> | undefined

/**
 * The 49,000 most common passwords of known leaks. The server loads them only when somebody sets a password, which is
 * rare.
 */
function readCommonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return common
}
