/* An unverified visitor can enter any recipient's email address and any name. The greeting of the email must not
   contain a message from the visitor, so the greeting has at most one word that looks like a given name. */

const letter = String.raw`(?!\ua78f)[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\u3005\u30fc]\p{M}{0,2}`
const word = String.raw`(?:${letter})+`
const mark = "['\u2019\u02bb\u02bc-]"

/**
 * Matches given names such as 'Dana', 'Anne-Marie' and "D'Arcy". U+A78F, excluded from `letter`, is a letter that
 * looks like a dot.
 */
const given = new RegExp(`^${word}(?:${mark}${word})?$`, 'u')
/** Matches a later word of a full name, such as 'Lee', 'J.', 'J.R.' or 'Jr.'. */
const part = new RegExp(
  String.raw`^(?:(?:${letter}\.){1,3}|${word}(?:${mark}{1,2}${word}){0,3}\.?)$`,
  'u',
)

/** Scripts without spaces between words, in which one apparent word can be a whole sentence. */
const dense =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

const maxWords = 5
const maxLetters = 20
const maxDenseLetters = 5

/** The first word of a text that looks like a customer's name; '' for any other text. */
export function givenName(fullName: string): string {
  const words = fullName.normalize('NFC').trim().split(/\s+/)
  const [first = ''] = words
  const maxLength = dense.test(first) ? maxDenseLetters : maxLetters
  const isName = words.length <= maxWords && words.every((one) => part.test(one))
  return isName && given.test(first) && first.length > 1 && first.length <= maxLength ? first : ''
}
