import { type JsonObject, objectOf, textOf } from '../../json.ts'

/** The id in the field `conversation` of a request, which may be a string or an object. */
export function conversationIdOf(body: JsonObject): string | undefined {
  const named = body['conversation'] ?? undefined
  if (named === undefined) return undefined
  return typeof named === 'string' ? named : textOf(objectOf(named)['id'])
}
