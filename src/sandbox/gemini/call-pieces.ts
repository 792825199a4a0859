import { type JsonObject, isObject, objectOf } from '../json.ts'
import { deltasOf } from '../text/words.ts'

/**
 * Renders parts as Vertex AI streams them with `streamFunctionCallArguments`: a call begins with its
 * name, its arguments follow value by value, and a call without content ends it.
 */
export function inPieces(parts: JsonObject[]): JsonObject[] {
  return parts.flatMap((part) => {
    const { functionCall, ...others } = part
    if (!isObject(functionCall)) return [part]
    const { name, args } = functionCall
    const begin = { ...others, functionCall: { name, willContinue: true } }
    const pieces = Object.entries(objectOf(args)).flatMap(([key, value]) =>
      valuesOf(`$${stepOf(key)}`, value),
    )
    const middle = pieces.map((piece) => ({
      functionCall: { partialArgs: [piece], willContinue: true },
    }))
    return [begin, ...middle, { functionCall: {} }]
  })
}

/** The pieces of one value, each with its JSON Path. */
function valuesOf(jsonPath: string, value: unknown): JsonObject[] {
  if (typeof value === 'string') return textsOf(jsonPath, value)
  if (typeof value === 'number') return [{ jsonPath, numberValue: value }]
  if (typeof value === 'boolean') return [{ jsonPath, boolValue: value }]
  if (Array.isArray(value)) {
    const elements = value.flatMap((element, index) => valuesOf(`${jsonPath}[${index}]`, element))
    return value.length > 0 ? elements : [{ jsonPath: `${jsonPath}[]` }]
  }
  if (!isObject(value)) return [{ jsonPath, nullValue: 'NULL_VALUE' }]
  const members = Object.entries(value).flatMap(([key, member]) =>
    valuesOf(jsonPath + stepOf(key), member),
  )
  return members.length > 0 ? members : [{ jsonPath }]
}

function textsOf(jsonPath: string, text: string): JsonObject[] {
  const texts = deltasOf(text)
  if (texts.length < 2) return [{ jsonPath, stringValue: text }]
  return texts.map((stringValue, index) => {
    const piece = { jsonPath, stringValue }
    return index < texts.length - 1 ? { ...piece, willContinue: true } : piece
  })
}

function stepOf(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
