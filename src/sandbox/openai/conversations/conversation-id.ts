import { type JsonObject, objectOf, textOf } from '../../json.ts'

/** The id in the field `conversation` of a request, a string or an object; undefined for none. */
export function conversationIdOf(body: JsonObject): string | undefined {
  const conversation = body['conversation'] ?? undefined
  if (conversation === undefined) return undefined
  return typeof conversation === 'string' ? conversation : textOf(objectOf(conversation)['id'])
}
