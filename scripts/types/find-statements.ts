import { parseSync, Visitor } from 'vite'
import type { ESTree } from 'vite'

type Expression = ESTree.Expression | ESTree.PrivateIdentifier | ESTree.TSType
type Constants = Map<string, Expression | null>

/**
 * Finds the texts of all statements that a source file passes to `query(…)`. A text is a literal, a template or a
 * conditional expression, composed of constants of the same file. Throws for any other expression.
 */
export function findStatements(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const constants: Constants = new Map()
  const queries: Expression[] = []
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier') return
      // A name is ambiguous if two constants have this name; the script then does not resolve the name.
      constants.set(id.name, constants.has(id.name) ? null : init)
    },
    CallExpression({ callee, arguments: [text] }) {
      if (isQuery(callee) && text && text.type !== 'SpreadElement') queries.push(text)
    },
  }).visit(program)
  return queries.flatMap((text) => {
    const texts = textsOf(text, constants)
    if (texts) return texts
    const line = source.slice(0, text.start).split('\n').length
    throw new Error(`${path}:${line}: write the statement as text, of constants of this file only.`)
  })
}

function isQuery(callee: Expression): boolean {
  if (callee.type === 'Identifier') return callee.name === 'query'
  return (
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'query' &&
    nameOf(callee.object) === 'store'
  )
}

function nameOf(object: Expression): string | undefined {
  if (object.type === 'Identifier') return object.name
  if (object.type !== 'MemberExpression') return undefined
  return object.property.type === 'Identifier' ? object.property.name : undefined
}

/** Returns all possible texts of an expression; undefined when they are not constant. */
function textsOf(
  expression: Expression | null | undefined,
  constants: Constants,
): string[] | undefined {
  const read = (part: Expression | null | undefined) => textsOf(part, constants)
  switch (expression?.type) {
    case 'Literal':
      return [String(expression.value)]
    case 'Identifier':
      return read(constants.get(expression.name))
    case 'TSAsExpression':
      return read(expression.expression)
    case 'ConditionalExpression':
      return joined(read(expression.consequent), read(expression.alternate))
    case 'TemplateLiteral':
      return expression.quasis.reduce<string[] | undefined>(
        (starts, { value }, index) => {
          const ends = index === 0 ? [''] : read(expression.expressions[index - 1])
          return (
            starts &&
            ends &&
            starts.flatMap((start) => ends.map((end) => start + end + value.cooked))
          )
        },
        [''],
      )
    default:
      return undefined
  }
}

function joined(some: string[] | undefined, others: string[] | undefined): string[] | undefined {
  return some && others && [...some, ...others]
}
