import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLType,
  getOperationAST,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
} from 'graphql'

import { isObject } from '../../lib/json/object.ts'

/** The members of an object that its type does not have. */
const mostUnknown = 20

/**
 * Finds the error of variables with an object that has far more members than its type. For each of fifty unknown
 * ones the executor writes the whole object into a message, which takes a second of the event loop.
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
  const wide = variableDefinitions.find(({ type, variable }) =>
    isTooWide(typeFromAST(schema, type), variableValues?.[variable.name.value]),
  )
  if (!wide) return undefined
  const { value: name } = wide.variable.name
  const message = `Variable "$${name}" has an object with more than ${mostUnknown} unknown members.`
  return new GraphQLError(message, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  })
}

function isTooWide(type: GraphQLType | undefined, value: unknown): boolean {
  if (isNonNullType(type)) return isTooWide(type.ofType, value)
  if (isListType(type)) {
    return Array.isArray(value)
      ? value.some((one) => isTooWide(type.ofType, one))
      : isTooWide(type.ofType, value)
  }
  if (!isInputObjectType(type) || !isObject(value)) return false
  const fields = Object.values(type.getFields())
  if (Object.keys(value).length > fields.length + mostUnknown) return true
  return fields.some((field) => isTooWide(field.type, value[field.name]))
}
