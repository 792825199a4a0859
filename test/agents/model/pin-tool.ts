/**
 * The sandbox calls a tool with an example of its schema. Where the schema allows one value only,
 * that is the example, so the schema decides what the tool is called with.
 */

type JsonObject = Record<string, unknown>

/** What a tool is called with: text where it takes no JSON. */
export type ToolInput = Readonly<JsonObject> | string

/** Makes `input` the only one that the tool of this name takes; false where there is no such tool. */
export function pinTool(request: JsonObject, name: string, input: ToolInput): boolean {
  const tool = toolsIn(request['tools']).find((one) => one['name'] === name)
  if (tool === undefined || typeof input === 'string') return tool !== undefined
  const key = schemaKeys.find((one) => one in tool)
  if (key !== undefined) tool[key] = schemaOf(input)
  return key !== undefined
}

const schemaKeys = ['input_schema', 'parametersJsonSchema', 'parameters']

/** Every object with a name, as deep as a dialect has them; what is in a schema is none. */
function toolsIn(node: unknown): JsonObject[] {
  if (Array.isArray(node)) return node.flatMap(toolsIn)
  if (typeof node !== 'object' || node === null) return []
  const object = node as JsonObject
  return typeof object['name'] === 'string' ? [object] : Object.values(object).flatMap(toolsIn)
}

function schemaOf(input: Readonly<JsonObject>): JsonObject {
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
