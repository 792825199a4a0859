/**
 * The sandbox calls a tool with an example of its schema. Where the schema allows one value only,
 * that is the example, so the schema decides what the tool is called with.
 */

type JsonObject = Record<string, unknown>

/** Makes `input` the only one that the tool of this name takes; false where there is no such tool. */
export function pinTool(request: JsonObject, name: string, input: JsonObject): boolean {
  const definition = definitionsIn(request['tools']).find((one) => one['name'] === name)
  const key = schemaKeys.find((one) => definition && one in definition)
  if (definition === undefined || key === undefined) return false
  definition[key] = schemaOf(input)
  return true
}

const schemaKeys = ['input_schema', 'parametersJsonSchema', 'parameters']

/** Every object with a name and a schema, wherever a dialect has it. */
function definitionsIn(node: unknown): JsonObject[] {
  if (Array.isArray(node)) return node.flatMap(definitionsIn)
  if (typeof node !== 'object' || node === null) return []
  const object = node as JsonObject
  if (schemaKeys.some((key) => key in object)) return [object]
  return Object.values(object).flatMap(definitionsIn)
}

function schemaOf(input: JsonObject): JsonObject {
  const properties = Object.entries(input).map(([key, value]) => [
    key,
    { type: typeof value, enum: [value] },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(input),
  }
}
