import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLType,
  getOperationAST,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
} from 'graphql'

import { isObject } from '../../lib/json/object.ts'
import { computedOnce } from '../../lib/computed-once.ts'

/** The members of an object that its type does not have. */
const mostUnknown = 20

/** The items of a list: the models of a key may be as many. */
const longestList = 1_000

/** The objects, items and scalars of all variables. A scalar `JSON` counts as one. */
const mostValues = 2_000

/** A value of a variable, with its type and the name of the variable. */
interface Typed {
  readonly name: string
  readonly type: GraphQLType | undefined
  readonly value: unknown
}

/**
 * Finds the error of variables that are too much work. The executor coerces each item of a list within one turn
 * of the event loop, and writes an object once for each of fifty unknown members: a body of 256 KiB would hold
 * the loop for up to a second.
 */
export function faultOfVariables({
  schema,
  document,
  operationName,
  variableValues,
}: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>):
  | GraphQLError
  | undefined {
  const { variableDefinitions = [] } = getOperationAST(document, operationName) ?? {}
  const faultOf = createExamination()
  for (const { type, variable } of variableDefinitions) {
    const name = variable.name.value
    const value = variableValues?.[name]
    const message = faultOf({ name, type: typeFromAST(schema, type), value })
    if (message === undefined) continue
    return new GraphQLError(message, {
      extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
    })
  }
  return undefined
}

/** Creates what finds the fault of each variable in turn, and counts the values of all. */
function createExamination(): (typed: Typed) => string | undefined {
  let values = 0

  function faultOfItems({ name, type }: Typed, items: readonly unknown[]): string | undefined {
    if (items.length > longestList)
      return `Variable "$${name}" has a list with more than ${longestList} items.`
    return firstFault(items, (value) => faultOf({ name, type, value }))
  }

  function faultOfMembers(
    { name }: Typed,
    type: GraphQLInputObjectType,
    members: Readonly<Record<string, unknown>>,
  ): string | undefined {
    const fields = fieldsOf(type)
    if (Object.keys(members).length > fields.length + mostUnknown)
      return `Variable "$${name}" has an object with more than ${mostUnknown} unknown members.`
    return firstFault(fields, (field) =>
      faultOf({ name, type: field.type, value: members[field.name] }),
    )
  }

  function faultOf(typed: Typed): string | undefined {
    const { type, value } = typed
    if (value === undefined) return undefined
    if (isNonNullType(type)) return faultOf({ ...typed, type: type.ofType })
    if (isListType(type)) {
      const inner = { ...typed, type: type.ofType }
      return Array.isArray(value) ? faultOfItems(inner, value) : faultOf(inner)
    }
    if (++values > mostValues)
      return `The variables have more than ${mostValues} values in total: send less in one operation.`
    return isInputObjectType(type) && isObject(value)
      ? faultOfMembers(typed, type, value)
      : undefined
  }
  return faultOf
}

function firstFault<Item>(
  items: readonly Item[],
  faultOf: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Types make a copy of their fields for each caller. */
const fieldsOf = computedOnce((type: GraphQLInputObjectType): readonly GraphQLInputField[] =>
  Object.values(type.getFields()),
)
