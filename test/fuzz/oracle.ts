import type { JsonObject } from '../../src/lib/json/object.ts'
import type { DialectName } from '../translate/clients/index.ts'

/**
 * Whether a stream can pass for complete at all: up to the event that ends it every frame can be
 * read, and there is such an event. Written from the dialects' documentation, apart from the codecs.
 */
export function mayEndWell(account: DialectName, wire: Buffer): boolean {
  const { events, isCut } = eventsIn(wire)
  let isEnding = false
  let hasAnswer = false
  for (const event of events) {
    if (event.data === '[DONE]') {
      if (account === 'chat' && (isEnding || hasAnswer)) return true
      continue
    }
    const json = objectIn(event.data)
    if (!json) return false
    hasAnswer ||= objectsIn(json.choices).some(saysSomething)
    if (account === 'messages' && isStop(json, event.name)) return isEnding
    if (!ends[account](json, event.name)) continue
    if (account === 'responses') return true
    isEnding = true
  }
  return account !== 'messages' && isEnding && !isCut
}

/** Whether a reply in one piece can pass for an answer. */
export function mayAnswer(account: DialectName, body: unknown): boolean {
  const [json = {}] = (Array.isArray(body) ? body : [body]) as JsonObject[]
  if (typeof json !== 'object' || json === null) return false
  if (account === 'chat') return objectsIn(json.choices).length > 0
  if (account === 'responses') return json.status !== 'failed' && json.status !== 'cancelled'
  if (account === 'generate') {
    return [body].flat().some((chunk) => hasCandidate((chunk ?? {}) as JsonObject))
  }
  return Array.isArray(json.content) || typeof json.content === 'string' || json.type === 'message'
}

interface WireEvent {
  readonly name: string
  readonly data: string
}

/** The event that ends a reply, or tells why it ends. */
const ends: Readonly<Record<DialectName, (json: JsonObject, name: string) => boolean>> = {
  chat: ({ choices }) => objectsIn(choices).some((choice) => isWord(choice.finish_reason)),
  responses: ({ type }, name) =>
    /^response\.(completed|incomplete|failed|cancelled)$/.test(
      typeof type === 'string' ? type : name,
    ),
  messages: ({ type, delta }, name) =>
    (type ?? name) === 'message_delta' && isWord((delta as JsonObject | null)?.stop_reason),
  generate: (chunk) =>
    isWord((chunk.promptFeedback as JsonObject | undefined)?.blockReason) ||
    objectsIn(chunk.candidates).some((candidate) => isWord(candidate.finishReason)),
}

/** The last event of a message, which is complete only if it has told why it ends. */
function isStop({ type }: JsonObject, name: string): boolean {
  return (type ?? name) === 'message_stop'
}

/** Whether a choice of a chat has more than empty values. Behind one, `[DONE]` needs no reason. */
function saysSomething({ delta, message }: JsonObject): boolean {
  const { role: _, ...said } = (delta ?? message ?? {}) as JsonObject
  return !isNothing(said)
}

function isNothing(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).every(isNothing)
    : !value
}

function hasCandidate(chunk: JsonObject): boolean {
  return objectsIn(chunk.candidates).length > 0 || chunk.promptFeedback !== undefined
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function objectsIn(list: unknown): JsonObject[] {
  if (!Array.isArray(list)) return []
  return list.filter((item) => typeof item === 'object' && item !== null) as JsonObject[]
}

function objectIn(data: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(data)
    return typeof json === 'object' && json !== null ? (json as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** The events of a stream as the standard has them; `isCut` where it ends within broken data. */
function eventsIn(wire: Buffer): { events: WireEvent[]; isCut: boolean } {
  const events: WireEvent[] = []
  let name = ''
  let data: string[] = []
  const lines = wire.toString().split(/\r\n|\r|\n/)
  for (const line of [...lines, '']) {
    if (line === '') {
      if (data.length > 0) events.push({ name, data: data.join('\n') })
      name = ''
      data = []
    } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    else if (line.startsWith('event:')) name = line.slice(line[6] === ' ' ? 7 : 6)
  }
  const last = events.at(-1)
  const isCut = last !== undefined && last.data !== '[DONE]' && !objectIn(last.data)
  return { events, isCut }
}
